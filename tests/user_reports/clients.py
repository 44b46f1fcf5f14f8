"""Claude's side: the MCP server, and the entries in Claude's own config files."""

from collections.abc import Mapping

_CALLS = "tests/mcp_server/test_calls.py"
_CLAUDE_CODE = "tests/shared/clients/test_code.py"
_CONNECTING = "tests/integration/test_connecting.py"
_CONNECTIONS = "tests/app/clients/test_connections.py"
_DESKTOP = "tests/shared/clients/test_desktop.py"
_PLACES = "tests/shared/clients/test_desktop_places.py"
_ENTRY = "tests/shared/clients/test_entry.py"
_FAULTS = "tests/integration/test_semantic_faults.py"
_LAYERS = "tests/search/test_next_layers.py"
_LIFE = "tests/mcp_server/test_life.py"
_PANEL = "tests/app/clients/test_panel.py"
_REAL_CONNECTION = "tests/app/clients/test_real_connection.py"
_STATES = "tests/mcp_server/test_worker_states.py"
_TOOLS = "tests/mcp_server/test_tools.py"
_UNINSTALLING = "tests/integration/test_uninstalling.py"
_WIRING = "tests/app/clients/test_wiring.py"

ROWS: Mapping[str, tuple[str, ...]] = {
    # ------------------------------------------------------------------ mcp
    "M01": (
        f"{_LIFE}::test_whatever_is_printed_goes_to_stderr",
        "tests/mcp_server/test_clients.py::test_each_line_conforms_to_the_specification",
    ),
    "M02": (
        f"{_LIFE}::test_in_an_unfriendly_surrounding_it_serves_all_the_same",
        "tests/mcp_server/test_wire.py::test_any_text_reaches_the_worker",
    ),
    "M04": (
        f"{_LIFE}::test_at_the_end_of_stdin_it_leaves",
        f"{_LIFE}::test_also_while_a_call_hangs_it_leaves",
        f"{_LIFE}::test_with_its_parent_it_leaves_though_stdin_stays_open",
    ),
    "M05": (
        f"{_LIFE}::test_it_opens_and_lists_without_worker_and_database",
        f"{_LIFE}::test_the_first_answer_costs_no_more_than_a_bare_server_of_the_sdk",
    ),
    "M06": (
        f"{_STATES}::test_without_a_worker_one_is_started_that_outlives_us",
        f"{_STATES}::test_a_worker_that_breaks_off_is_named_and_the_next_call_works",
        f"{_STATES}::test_a_worker_that_answers_nothing_ends_in_time_and_recovers",
    ),
    "M07": (
        f"{_TOOLS}::test_each_parameter_of_the_request_is_declared_with_its_type",
        f"{_TOOLS}::test_defaults_and_choices_are_told",
        "tests/web/test_routes.py::test_an_unknown_parameter_is_ignored_and_named",
    ),
    "M08": (
        f"{_CALLS}::test_ids_arrive_as_the_contract_reads_them",
        f"{_LAYERS}::test_details_come_in_the_order_asked_for_and_name_what_is_missing",
    ),
    "M10": (
        f"{_CALLS}::test_a_long_answer_is_cut_at_a_line_with_the_way_to_the_rest",
        f"{_CALLS}::test_whatever_the_text_it_fits",
    ),
    "M11": (
        f"{_CALLS}::test_a_refusal_of_the_worker_is_an_error_with_its_words",
        f"{_LAYERS}::test_details_come_in_the_order_asked_for_and_name_what_is_missing",
        "tests/store/test_timeline.py::test_an_anchor_that_does_not_exist_tells_which_do",
    ),
    "M13": (f"{_FAULTS}::test_words_and_new_rows_are_found_while_the_model_loads",),
    # ------------------------------------------------------------------ desktop config
    "D01": (
        f"{_PLACES}::test_on_windows_a_store_build_reads_its_own_folder",
        f"{_PLACES}::test_a_folder_that_a_store_build_left_behind_does_not_count",
        f"{_PLACES}::test_of_two_store_builds_the_one_in_use_counts_or_the_user_says_which",
    ),
    "D02": (
        f"{_DESKTOP}::test_our_entry_comes_in_and_goes_and_all_else_stays",
        f"{_DESKTOP}::test_what_was_written_otherwise_is_told",
    ),
    "D03": (
        f"{_DESKTOP}::test_our_entry_comes_in_and_goes_and_all_else_stays",
        f"{_DESKTOP}::test_what_cannot_be_understood_is_left_byte_for_byte",
    ),
    "D04": (
        f"{_DESKTOP}::test_what_cannot_be_understood_is_left_byte_for_byte",
        f"{_DESKTOP}::test_each_broken_sample_is_refused",
        f"{_CONNECTING}::test_a_broken_file_is_refused_with_its_place",
    ),
    "D05": (
        f"{_DESKTOP}::test_every_byte_of_the_others_stays",
        f"{_DESKTOP}::test_a_second_run_changes_nothing",
        "tests/shared/clients/test_json_text.py::"
        "test_what_is_added_and_removed_leaves_every_other_byte",
        f"{_CLAUDE_CODE}::test_it_is_added_and_removed_by_its_own_command",
    ),
    "D06": (
        f"{_CONNECTIONS}::test_a_dropped_entry_is_told_once_and_nothing_is_written",
        f"{_CONNECTIONS}::test_a_loss_is_told_within_a_minute",
        f"{_CONNECTIONS}::test_one_click_puts_it_back",
        f"{_CONNECTIONS}::test_what_vanished_while_the_app_was_away_is_told_at_the_next_start",
        f"{_PANEL}::test_a_lost_entry_is_added_again_by_one_click",
    ),
    "D07": (
        f"{_DESKTOP}::test_five_backups_are_kept_and_any_can_be_put_back",
        f"{_DESKTOP}::test_kill_9_leaves_one_content_or_the_other",
        f"{_DESKTOP}::test_a_full_disk_leaves_the_file_as_it_was",
        f"{_DESKTOP}::test_a_file_that_changes_between_reading_and_writing_stays",
        f"{_WIRING}::test_there_and_back_is_the_same_byte_for_byte",
        f"{_PANEL}::test_connected_and_undone_by_two_clicks",
    ),
    "D09": (
        f"{_REAL_CONNECTION}::test_from_the_click_to_the_green_tick",
        f"{_CONNECTING}::test_what_is_written_answers_without_an_environment",
        f"{_DESKTOP}::test_what_does_not_answer_is_never_written",
        f"{_ENTRY}::test_it_answers_without_any_environment_from_a_foreign_folder",
    ),
    "D10": (
        f"{_ENTRY}::test_the_script_beside_the_program_that_runs_is_taken",
        f"{_DESKTOP}::test_our_entry_comes_in_and_goes_and_all_else_stays",
    ),
    "D11": (
        f"{_DESKTOP}::test_the_state_is_told_from_the_file",
        f"{_DESKTOP}::test_an_old_entry_of_ours_is_renewed_and_keeps_its_other_keys",
        f"{_CLAUDE_CODE}::test_an_entry_of_an_old_place_is_replaced",
    ),
    "D12": (
        f"{_WIRING}::test_all_that_was_written_for_the_user_goes_again",
        f"{_UNINSTALLING}::test_uninstalling_takes_all_entries_and_processes_and_keeps_the_data",
        f"{_UNINSTALLING}::test_on_an_untouched_machine_nothing_is_made",
    ),
}
