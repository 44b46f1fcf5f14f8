"""Which tests prove that what users of programs like this one reported cannot happen here."""

from collections.abc import Mapping

_A_DAY = "tests/e2e/test_a_day.py"
_BACKUPS = "tests/integration/test_backups.py"
_BENCH = "tests/integration/test_large_memory.py"
_CALLS = "tests/mcp_server/test_calls.py"
_CHECKS = "tests/integration/test_checks.py"
_CHROMA = "tests/index/test_chroma.py"
_COMPACTING = "tests/ingest/test_compacting.py"
_CLAUDE_AI = "tests/ingest/claude_ai/test_export.py"
_CLIENT = "tests/shared/test_client.py"
_CLAUDE_CODE = "tests/shared/clients/test_code.py"
_COEXISTENCE = "tests/integration/test_coexistence.py"
_CONNECTING = "tests/integration/test_connecting.py"
_CONNECTIONS = "tests/app/clients/test_connections.py"
_CONNECTION = "tests/store/test_connection.py"
_DATABASES = "tests/integration/test_claude_mem_databases.py"
_DESKTOP = "tests/shared/clients/test_desktop.py"
_PLACES = "tests/shared/clients/test_desktop_places.py"
_DOCTOR = "tests/integration/test_doctor.py"
_ENTRY = "tests/shared/clients/test_entry.py"
_EARLIER = "tests/state/test_earlier.py"
_DESCRIBE = "tests/app/supervisor/test_describe.py"
_MACHINE = "tests/app/supervisor/test_machine.py"
_STRANGERS = "tests/app/supervisor/test_ports.py"
_SUPERVISOR = "tests/app/supervisor/test_supervisor.py"
_FAULTS = "tests/integration/test_semantic_faults.py"
_FOLDER = "tests/integration/test_data_folder.py"
_GUARDS = "tests/web/test_guards.py"
_HEALTH = "tests/app/health/test_window.py"
_HOME = "tests/app/home/test_window.py"
_HOSTILE = "tests/integration/test_hostile.py"
_INSTALLERS = "tests/packaging/test_installers.py"
_IMPORTING = "tests/integration/test_importing.py"
_ICONS = "tests/app/tray/test_icons.py"
_LAUNCH = "tests/shared/test_launch.py"
_LAYERING = "tests/test_layering.py"
_LAYERS = "tests/search/test_next_layers.py"
_WATCH = "tests/integration/test_life_watching.py"
_CASES = "tests/integration/test_launch_cases.py"
_STOP = "tests/integration/test_life_stop.py"
_LINUX = "tests/packaging/test_linux.py"
_LINES = "tests/ingest/transcripts/test_lines.py"
_LIFE = "tests/mcp_server/test_life.py"
_MANY = "tests/integration/test_many_requests.py"
_MEMORIES = "tests/ingest/transcripts/test_memories.py"
_ORDER = "tests/search/test_order.py"
_PAGE = "tests/app/search_preview/test_page.py"
_PANEL = "tests/app/clients/test_panel.py"
_PARTS = "tests/search/test_missing_parts.py"
_PORTS = "tests/test_ports.py"
_QUERY = "tests/search/test_query.py"
_REDACTION = "tests/integration/test_redaction.py"
_REAL_CONNECTION = "tests/app/clients/test_real_connection.py"
_REINDEX = "tests/integration/test_reindex.py"
_RENDER = "tests/search/test_render.py"
_RUN = "tests/integration/test_run.py"
_SAVING = "tests/integration/test_saving.py"
_SAVING_FAULTS = "tests/integration/test_saving_faults.py"
_SCHEMA = "tests/store/test_schema.py"
_SECURITY = "tests/integration/test_security.py"
_SERVICE = "tests/search/test_service.py"
_STATES = "tests/mcp_server/test_worker_states.py"
_STORE = "tests/integration/test_store_faults.py"
_SYNC = "tests/index/test_sync.py"
_TOOLS = "tests/mcp_server/test_tools.py"
_TRANSFER = "tests/store/test_transfer.py"
_UNINSTALLING = "tests/integration/test_uninstalling.py"
_VECTORS = "tests/index/test_vectors_damage.py"
_WIRING = "tests/app/clients/test_wiring.py"
_WHOLE_APP = "tests/app/test_whole_app.py"
_WRITING = "tests/store/test_writing.py"

ROWS: Mapping[str, tuple[str, ...]] = {
    # ------------------------------------------------------------------ worker lifecycle
    "W01": (
        f"{_LAUNCH}::test_a_number_that_now_belongs_to_another_program_blocks_no_start",
        f"{_LAUNCH}::test_our_process_is_known_by_number_and_start",
        f"{_LAUNCH}::test_a_zombie_is_gone",
        f"{_RUN}::test_after_kill_9_the_next_start_is_not_held_up",
        f"{_CASES}::test_a_stale_worker_json_is_in_nobodys_way",
    ),
    "W02": (f"{_LAUNCH}::test_a_worker_that_ends_at_once_is_reported_with_code_and_last_lines",),
    "W03": (
        f"{_STOP}::test_a_torn_or_overwritten_worker_json_hides_nobody",
        f"{_STOP}::test_a_dead_pid_in_worker_json_hides_nobody",
        f"{_STOP}::test_the_record_of_another_worker_hides_nobody_and_hurts_no_stranger",
        f"{_STOP}::test_a_frozen_worker_is_killed_and_none_is_started_beside_it",
        "tests/integration/test_life_faults.py::"
        "test_a_worker_whose_folder_is_replaced_leaves_it_to_the_next",
    ),
    "W04": (
        f"{_RUN}::test_a_taken_port_is_told_with_its_owner",
        f"{_PORTS}::test_a_taken_port_names_who_has_it",
        f"{_CLIENT}::test_a_stranger_on_the_port_is_called_one",
        f"{_CLIENT}::test_a_directory_server_on_the_port_is_a_stranger",
        f"{_STATES}::test_a_stranger_on_the_port_is_named",
        f"{_WATCH}::test_a_stranger_on_the_port_is_named_by_status_and_start",
        f"{_WATCH}::test_a_stranger_that_says_ok_to_everything_is_no_worker",
        f"{_STRANGERS}::test_a_stranger_is_named_and_the_next_free_port_is_a_way_out",
        f"{_MACHINE}::test_a_taken_port_is_told_once_and_nothing_is_started_meanwhile",
    ),
    "W05": (
        f"{_LAUNCH}::test_eight_starters_at_once_get_one_worker",
        f"{_CASES}::test_eight_starters_at_the_same_moment_are_all_told_of_one_worker",
        f"{_RUN}::test_a_second_worker_refuses_and_names_the_first",
    ),
    "W07": (
        f"{_LAUNCH}::test_an_older_worker_is_replaced_once_and_no_more",
        f"{_WATCH}::test_a_degraded_part_is_named_with_cause_and_remedy",
        f"{_DESCRIBE}::test_a_worker_of_another_version_is_told_with_both",
    ),
    "W08": (
        f"{_LAUNCH}::test_an_older_worker_is_replaced_once_and_no_more",
        f"{_MACHINE}::test_an_older_worker_is_replaced_once_a_launch",
        f"{_LAUNCH}::test_a_worker_that_is_not_older_is_left_alone",
        f"{_RUN}::test_it_answers_health_as_who_worker_json_says",
    ),
    "W09": (
        f"{_CHECKS}::test_a_fault_turns_its_own_line_red_until_it_is_mended",
        f"{_CHECKS}::test_an_index_that_takes_one_memory_for_another_is_told_by_the_canary",
        f"{_DOCTOR}::test_a_fault_is_one_red_line_and_nothing_is_changed",
        f"{_HEALTH}::test_a_fault_that_comes_turns_its_own_line_and_its_button_mends_it",
        "tests/app/health/test_findings.py::test_the_worst_that_is_known_is_said_first",
        f"{_DESCRIBE}::test_each_ill_part_is_named_with_cause_and_remedy",
        f"{_RUN}::test_a_broken_store_shows_as_a_state_and_heals_without_a_restart",
        f"{_STORE}::test_a_damaged_database_is_named_and_left_as_it_is",
        f"{_FAULTS}::test_an_index_deleted_while_in_use_is_named_and_heals",
        f"{_FAULTS}::test_an_index_damaged_while_stopped_is_named_and_heals",
    ),
    "W10": (
        f"{_SUPERVISOR}::test_a_killed_worker_is_back_soon",
        f"{_SUPERVISOR}::test_a_worker_that_always_ends_is_given_up_after_five_starts",
        f"{_MACHINE}::test_a_crash_is_answered_with_growing_pauses_and_after_five_no_more",
        f"{_MACHINE}::test_ten_healthy_minutes_wipe_the_slate",
        "tests/app/supervisor/test_backoff.py::test_whatever_the_times_it_stays_in_bounds",
        "tests/app/supervisor/test_dialogs.py::test_giving_up_shows_code_and_last_lines",
    ),
    "W12": (
        f"{_RUN}::test_it_starts_no_helper_process",
        f"{_SECURITY}::test_clients_that_are_killed_leave_no_process_behind",
        f"{_LAUNCH}::test_the_worker_outlives_its_starter_and_leaves_no_zombie",
        f"{_STOP}::test_kill_9_leaves_no_process_and_nothing_that_blocks",
    ),
    "W13": (
        f"{_RUN}::test_it_starts_no_helper_process",
        f"{_LAYERING}::test_every_child_process_is_started_by_one_of_two_helpers",
        f"{_LAUNCH}::test_a_worker_that_stays_silent_is_not_started_twice",
    ),
    "W14": (
        f"{_LAUNCH}::test_a_slow_start_is_waited_for",
        f"{_WATCH}::test_a_slow_start_listens_at_once_shows_and_is_not_doubled",
        "tests/test_doorman.py::test_health_is_answered_at_once",
        f"{_MACHINE}::test_a_slow_start_is_a_start_for_a_minute",
        f"{_LAYERING}::test_what_must_listen_first_loads_no_index",
        f"{_BENCH}::test_start_and_search_are_quick",
    ),
    "W15": (
        f"{_CLIENT}::test_no_proxy_is_ever_asked",
        f"{_CASES}::test_a_proxy_in_the_environment_is_never_asked",
    ),
    "W17": (
        f"{_PORTS}::test_a_reserved_port_is_told_apart",
        f"{_PORTS}::test_a_port_that_the_system_keeps_from_users_is_reserved",
        "tests/shared/test_state.py::"
        "test_a_port_that_the_system_keeps_is_told_unless_claude_mem_claims_it",
        "tests/app/supervisor/test_dialogs.py::test_each_case_is_told",
    ),
    "W18": (
        f"{_IMPORTING}::test_a_worker_that_is_stopped_midway_loses_and_doubles_nothing",
        f"{_IMPORTING}::test_killed_again_and_again_it_goes_on_by_itself_to_its_end",
    ),
    "W19": (
        f"{_STORE}::test_health_answers_while_six_searches_wait_for_a_lock",
        f"{_MANY}::test_health_answers_beside_300_requests_that_never_come_to_an_end",
        f"{_MANY}::test_health_answers_beside_300_searches_at_once",
        f"{_MACHINE}::test_one_slow_answer_changes_nothing",
    ),
    # ------------------------------------------------------------------ store
    "S01": (
        f"{_STORE}::test_while_another_program_writes_reading_goes_on_and_writing_waits",
        f"{_CONNECTION}::test_writing_waits_for_another_writer",
        f"{_SAVING_FAULTS}::test_a_lock_of_three_seconds_is_waited_for",
        f"{_SAVING_FAULTS}::test_a_longer_lock_is_told_with_its_holder_and_reading_goes_on",
    ),
    "S02": (
        f"{_CONNECTION}::test_writers_that_read_first_never_lose_an_update",
        f"{_SAVING_FAULTS}::test_four_programs_and_the_worker_write_at_once_without_an_error",
    ),
    "S03": (
        "tests/integration/test_torn_log.py::test_a_torn_log_costs_what_follows_the_tear_and_no_more",
        f"{_STORE}::test_a_damaged_database_is_named_and_left_as_it_is",
        f"{_STORE}::test_damage_that_a_search_does_not_meet_is_told_with_its_answer",
        f"{_CONNECTION}::test_damage_found_while_reading_is_named_with_a_remedy",
    ),
    "S04": (f"{_STORE}::test_search_needs_nothing_of_claude_mems_own_index",),
    "S05": (
        f"{_DATABASES}::test_what_others_commit_is_found_at_once",
        f"{_STORE}::test_search_needs_nothing_of_claude_mems_own_index",
        f"{_SYNC}::test_all_kinds_are_indexed_by_word_and_by_vector",
        f"{_SYNC}::test_a_row_that_comes_in_below_the_highest_id_is_found",
        f"{_SAVING}::test_it_is_found_by_word_within_a_second_and_by_meaning_within_ten",
        "tests/integration/test_transfer.py::"
        "test_what_is_imported_is_found_and_leaves_again_as_it_came",
    ),
    "S08": (
        f"{_COMPACTING}::test_compacted_the_file_has_a_fifth_at_most_and_all_rows",
        f"{_COMPACTING}::test_while_another_program_has_it_open_it_is_refused_and_named",
        f"{_COMPACTING}::test_without_room_for_a_copy_nothing_is_begun",
    ),
    "S09": (
        "tests/backup/test_backup.py::test_rows_that_only_the_log_holds_are_in_the_backup",
        "tests/backup/test_restore.py::test_the_newest_comes_back_and_what_was_there_is_kept",
        f"{_BACKUPS}::test_while_another_program_writes_all_the_time_both_are_done",
        f"{_BACKUPS}::test_kill_9_amid_a_backup_leaves_no_half_of_one",
        f"{_BACKUPS}::test_kill_9_amid_a_restore_leaves_the_old_or_the_new",
    ),
    "S13": (
        f"{_FOLDER}::test_all_parts_use_the_folder_that_the_environment_names",
        f"{_FOLDER}::test_an_argument_comes_before_the_environment",
        "tests/shared/test_paths.py::"
        "test_the_argument_comes_first_then_the_environment_then_claude_mems_setting",
    ),
    # ------------------------------------------------------------------ search
    "Q01": (
        f"{_HOSTILE}::test_http_finds_every_text_of_our_own",
        f"{_HOSTILE}::test_http_finds_every_naughty_text",
    ),
    "Q02": (
        f"{_HOSTILE}::test_http_finds_every_text_of_our_own",
        f"{_QUERY}::test_any_text_is_a_query",
        f"{_SERVICE}::test_any_text_is_answered",
    ),
    "Q03": (
        f"{_DATABASES}::test_two_words_find_first_the_rows_that_hold_both",
        "tests/search/test_keyword_leg.py::test_rows_with_all_words_come_before_rows_with_some",
    ),
    "Q04": (
        f"{_CHECKS}::test_a_keyword_index_that_breaks_is_built_anew_and_words_are_found_all_the_while",
        f"{_PARTS}::test_a_damaged_index_is_told_and_healed_and_rows_are_found_all_the_while",
        f"{_RENDER}::test_notes_and_what_is_degraded_are_told",
        "tests/app/search/test_nothing.py::test_meaning_that_is_impaired_leads_to_its_cause",
        "tests/app/search/test_window_hits.py::test_what_is_impaired_is_named_and_leads_to_health",
        f"{_FAULTS}::test_an_index_deleted_while_in_use_is_named_and_heals",
    ),
    "Q05": (
        f"{_FAULTS}::test_without_a_model_words_are_searched_and_the_answer_says_so",
        f"{_FAULTS}::test_a_library_that_refuses_to_be_imported_costs_only_its_part",
        f"{_PARTS}::test_what_is_indexed_already_is_found_before_its_vector_is_made",
    ),
    "Q06": (
        f"{_ORDER}::test_dates_are_whole_local_days_and_inclusive",
        f"{_ORDER}::test_memories_of_all_ages_are_found_without_a_range",
        f"{_SERVICE}::test_a_filter_holds_in_every_mode",
    ),
    "Q07": (
        f"{_SERVICE}::test_dates_are_exact_over_the_whole_match_set",
        f"{_ORDER}::test_all_the_nearest_by_meaning_are_in_the_order_by_date",
        f"{_SERVICE}::test_pages_hold_every_match_once_to_the_last_page",
    ),
    "Q08": (f"{_ORDER}::test_an_exact_old_row_comes_before_new_vague_ones",),
    "Q10": (
        f"{_ORDER}::test_a_project_is_kept_apart_in_both_legs",
        f"{_LAYERS}::test_a_timeline_is_found_by_anchor_or_query_and_stays_in_the_project",
        f"{_DATABASES}::test_a_timeline_over_all_projects_has_both_ends",
    ),
    "Q11": (
        "tests/ingest/transcripts/test_project.py::test_worktrees_belong_together",
        "tests/ingest/transcripts/test_project.py"
        "::test_a_second_repository_of_the_same_name_is_another_project",
    ),
    "Q12": (
        f"{_DATABASES}::test_chinese_finds_the_rows_that_hold_it",
        "tests/index/test_analyze.py::test_every_character_of_a_chinese_run_begins_a_term",
    ),
    "Q13": (
        f"{_ORDER}::test_short_words_without_blanks_around_them_are_found",
        f"{_DATABASES}::test_chinese_finds_the_rows_that_hold_it",
    ),
    "Q15": (
        "tests/app/search/test_real_worker.py::test_no_text_is_an_error",
        f"{_ORDER}::test_a_query_without_words_is_looked_for_as_it_stands",
        f"{_SERVICE}::test_without_a_query_the_newest_come_first",
        f"{_HOSTILE}::test_http_finds_every_text_of_our_own",
    ),
    "Q16": (f"{_ORDER}::test_a_rare_token_among_many_rows_comes_first",),
    "Q17": (
        f"{_DATABASES}::test_made_up_words_find_nothing",
        f"{_DATABASES}::test_two_words_find_first_the_rows_that_hold_both",
    ),
    # ------------------------------------------------------------------ vector
    "V01": (
        f"{_FAULTS}::test_no_second_process_opens_chroma",
        f"{_CHROMA}::test_another_process_is_refused_until_it_is_closed",
        f"{_LIFE}::test_after_a_call_it_is_still_small_and_has_loaded_nothing_heavy",
    ),
    "V03": (
        f"{_REINDEX}::test_what_is_made_from_what_is_kept_embeds_nothing",
        f"{_FAULTS}::test_an_index_damaged_while_stopped_is_named_and_heals",
        f"{_VECTORS}::test_damaged_files_change_no_answer_and_heal",
        f"{_VECTORS}::test_after_two_vain_rebuilds_it_stays_degraded",
    ),
    "V04": (
        f"{_REINDEX}::test_vectors_are_made_once_more_from_each_memory",
        f"{_FAULTS}::test_an_index_damaged_while_stopped_is_named_and_heals",
        "tests/index/test_meaning_sync.py::test_progress_is_told_while_the_indexes_are_made",
    ),
    "V05": (
        f"{_FAULTS}::test_a_restart_with_nothing_new_embeds_nothing_and_answers_the_same",
        f"{_FAULTS}::test_kill_9_midway_loses_no_more_than_a_batch",
        "tests/integration/test_killed.py::test_what_was_answered_outlives_every_kill_9",
    ),
    "V06": (
        f"{_CHECKS}::test_a_model_that_cannot_be_used_is_one_line_and_comes_back",
        f"{_FAULTS}::test_indexes_are_built_and_asked_without_any_network",
        f"{_FAULTS}::test_without_a_model_words_are_searched_and_the_answer_says_so",
    ),
    "V07": (
        f"{_FAULTS}::test_a_library_that_refuses_to_be_imported_costs_only_its_part",
        f"{_CHROMA}::test_an_sqlite_too_old_for_chroma_is_named",
    ),
    "V08": (
        f"{_FAULTS}::test_nobody_but_its_own_clients_is_spoken_to",
        f"{_CHROMA}::test_it_is_quiet_and_deaf_to_the_surroundings",
    ),
    "V11": (f"{_CHROMA}::test_no_file_is_open_after_closing",),
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
    # ------------------------------------------------------------------ tray & gui
    "T01": (
        f"{_A_DAY}::test_without_a_tray_a_window_stands_in_and_closing_it_asks",
        f"{_HOME}::test_closing_asks_and_nothing_vanishes",
        "tests/app/home/test_finder.py::test_it_is_missed_once_and_may_still_come",
    ),
    "T03": (
        f"{_WHOLE_APP}::test_windows_come_and_go_a_hundred_times_amid_a_search_and_nothing_ends",
        "tests/e2e/test_windows.py::test_each_line_opens_its_window",
    ),
    "T04": (
        f"{_A_DAY}::test_a_person_searches_and_the_worker_dies_and_comes_back",
        f"{_A_DAY}::test_an_end_asked_for_by_the_system_is_orderly",
        f"{_WHOLE_APP}::test_quit_ends_it_within_five_seconds_amid_a_search",
        "tests/app/tray/test_menu.py::test_quit_says_what_becomes_of_the_worker",
    ),
    "T05": (
        f"{_ICONS}::test_an_eighth_of_each_icon_stands_out_on_any_panel",
        f"{_ICONS}::test_any_two_states_differ_in_greyscale_at_the_smallest_size",
        f"{_ICONS}::test_any_two_states_have_other_shapes",
    ),
    "T06": (
        f"{_WHOLE_APP}::test_five_starts_make_one_app_and_after_kill_9_the_next_start_works",
        f"{_A_DAY}::test_a_second_start_raises_the_window_of_the_first",
        f"{_A_DAY}::test_after_a_crash_the_next_app_takes_over_the_worker",
        "tests/shared/test_autostart.py::test_one_entry_is_left_after_an_update",
    ),
    "T07": (
        f"{_WHOLE_APP}::test_windows_come_and_go_a_hundred_times_amid_a_search_and_nothing_ends",
        "tests/app/search/test_window.py::test_a_hundred_times_opened_and_closed_amid_a_search",
        "tests/app/recalls/test_window.py::test_it_opens_and_closes_while_the_worker_says_nothing",
    ),
    "T08": (
        f"{_A_DAY}::test_with_a_frozen_worker_the_menu_opens_at_once_and_the_icon_tells",
        "tests/app/logs/test_window.py::"
        "test_a_log_of_500_mb_opens_in_a_second_and_the_window_never_stands_still",
    ),
    "T09": (
        "tests/app/welcome/test_findings.py::test_sessions_without_memories_are_counted",
        "tests/app/search/test_nothing.py::"
        "test_where_nothing_is_stored_the_sessions_on_the_disk_are_offered",
        "tests/app/importing/test_window.py::test_sessions_are_imported_after_consent_and_undone",
        "tests/app/importing/test_first_run.py::test_the_first_screen_imports_what_it_has_found",
    ),
    "T11": (f"{_INSTALLERS}::test_the_mac_app_has_no_place_in_the_dock",),
    "T12": (
        f"{_LAYERING}::test_every_child_process_is_started_by_one_of_two_helpers",
        f"{_LAYERING}::test_no_child_process_opens_a_console_window",
        f"{_LAYERING}::test_qt_starts_no_process",
    ),
    # ------------------------------------------------------------------ transcripts import
    "I01": (
        f"{_MEMORIES}::test_records_of_other_kinds_come_first_and_in_between",
        f"{_MEMORIES}::test_every_transcript_in_the_collection_is_read",
    ),
    "I02": (
        f"{_LINES}::test_a_torn_line_is_named_and_the_rest_is_read",
        f"{_LINES}::test_a_last_line_that_is_being_written_is_no_failure",
        f"{_IMPORTING}::test_lines_that_cannot_be_read_are_named",
        f"{_IMPORTING}::test_a_session_that_grew_adds_what_is_new",
    ),
    "I03": (
        f"{_MEMORIES}::test_no_shape_of_a_record_raises",
        f"{_LINES}::test_no_bytes_raise",
        f"{_IMPORTING}::test_the_collection_is_read_and_a_second_time_adds_nothing",
    ),
    "I04": (
        f"{_IMPORTING}::test_doing_it_again_adds_nothing",
        f"{_IMPORTING}::test_a_session_that_repeats_another_adds_only_its_own",
        f"{_IMPORTING}::test_without_state_db_nothing_is_doubled",
        f"{_MEMORIES}::test_repeated_records_count_once",
    ),
    "I06": (
        "tests/integration/test_large_import.py::test_its_memory_does_not_grow_with_what_is_read",
        "tests/app/importing/test_following.py::"
        "test_an_import_from_the_command_line_is_shown_to_its_end",
        f"{_IMPORTING}::test_a_job_is_cancelled_and_what_it_added_stays",
        f"{_IMPORTING}::test_killed_again_and_again_it_goes_on_by_itself_to_its_end",
        f"{_IMPORTING}::test_a_paused_job_rests_also_in_another_worker_until_it_is_resumed",
    ),
    "I08": (
        f"{_IMPORTING}::test_an_export_of_claude_ai_comes_in_once_and_leaves_again",
        f"{_CLAUDE_AI}::test_each_layout_of_a_zip_is_read",
        f"{_CLAUDE_AI}::test_blocks_attachments_and_silence",
        f"{_CLAUDE_AI}::test_other_files_are_no_exports",
        f"{_CLAUDE_AI}::test_every_collected_export_is_read",
    ),
    "I11": (
        "tests/integration/test_watching.py::test_what_claude_code_writes_is_found_by_itself_once_that_is_wanted",
        "tests/app/importing/test_found.py::test_the_days_until_the_oldest_is_deleted_are_told",
        "tests/app/importing/test_window.py::test_the_switch_is_the_setting",
    ),
    # ------------------------------------------------------------------ packaging
    "P01": (  # and packaging/linux/test_package.py, which needs the bundle and a bare Debian
        "tests/packaging/test_release.py::test_it_runs_on_the_three_systems_what_the_makefile_has",
        "tests/integration/test_doctor.py::test_the_self_test_needs_no_data_folder",
    ),
    "P02": (f"{_FAULTS}::test_a_library_that_refuses_to_be_imported_costs_only_its_part",),
    "P03": (
        "tests/test_main.py::test_it_lives_without_standard_streams",
        f"{_RUN}::test_it_runs_without_standard_streams",
        f"{_LIFE}::test_with_stderr_closed_the_protocol_stays_clean",
    ),
    "P04": (
        f"{_LINUX}::test_a_child_of_multiprocessing_is_no_whole_program_again",
        f"{_LAUNCH}::test_a_frozen_program_starts_the_program_beside_it",
        f"{_LAYERING}::test_every_child_process_is_started_by_one_of_two_helpers",
    ),
    "P05": (
        f"{_LINUX}::test_it_is_a_folder_that_unpacks_nothing_at_its_start",
        f"{_INSTALLERS}::test_windows_is_told_version_and_name",
        "tests/packaging/test_release.py::test_each_system_gives_its_packages_with_checksums",
    ),
    "P06": (
        f"{_LINUX}::test_it_is_a_folder_that_unpacks_nothing_at_its_start",
        f"{_LIFE}::test_the_first_answer_costs_no_more_than_a_bare_server_of_the_sdk",
        f"{_LIFE}::test_after_a_call_it_is_still_small_and_has_loaded_nothing_heavy",
    ),
    "P08": (f"{_LINUX}::test_the_package_declares_what_qt_loads_and_what_draws_letters",),
    "P09": (
        f"{_INSTALLERS}::test_a_bundle_is_signed_from_the_inside_and_programs_alone_are_entitled",
        f"{_ENTRY}::test_an_app_that_macos_shows_for_a_while_is_not_entered",
    ),
    "P10": (
        f"{_LINUX}::test_an_upgrade_ends_the_old_version_and_replaces_all_of_it",
        f"{_LINUX}::test_a_program_that_does_not_run_replaces_nothing",
    ),
    # ------------------------------------------------------------------ security
    "X01": (
        f"{_GUARDS}::test_every_route_that_is_not_a_read_is_guarded",
        f"{_GUARDS}::test_when_set_reading_needs_the_token",
        f"{_RUN}::test_all_it_makes_is_for_the_user_alone",
        f"{_DATABASES}::test_nothing_but_rows_was_added_and_all_is_for_the_user_alone",
    ),
    "X02": (
        f"{_GUARDS}::test_a_foreign_origin_is_refused_for_every_method",
        f"{_GUARDS}::test_our_own_origin_is_served_without_cors",
    ),
    "X03": (f"{_GUARDS}::test_a_foreign_host_is_refused",),
    "X04": (
        f"{_RUN}::test_only_127_0_0_1_listens",
        f"{_PORTS}::test_binds_to_this_machine_alone",
    ),
    "X05": (
        f"{_SECURITY}::test_neither_the_token_nor_memories_get_into_logs_and_reports",
        "tests/app/health/test_redaction.py::test_no_secret_survives",
        "tests/app/health/test_diagnostics_window.py"
        "::test_what_is_shown_is_what_is_copied_and_saved_and_nothing_private_is_in_it",
        "tests/web/test_health.py::test_health_gives_no_token_away",
    ),
    "X06": (f"{_SECURITY}::test_no_path_leads_out_of_the_memories",),
    "X08": (
        f"{_REDACTION}::test_no_file_holds_a_secret_that_was_saved",
        "tests/ingest/test_scan.py"
        "::test_applied_no_file_but_the_backup_holds_them_and_all_else_is_as_it_was",
        f"{_REDACTION}::test_rows_of_an_export_lose_their_secrets",
        "tests/ingest/test_redact.py::test_a_secret_goes_and_is_counted",
        "tests/ingest/test_redact.py::test_what_is_harmless_stays",
    ),
    "X09": (
        f"{_SECURITY}::test_markup_in_a_memory_is_text_and_nothing_else",
        f"{_PAGE}::test_a_hostile_text_is_shown_and_does_nothing",
        "tests/app/search/test_hits_model.py::test_what_is_foreign_is_escaped_in_a_tool_tip",
    ),
    "X10": (
        f"{_GUARDS}::test_a_change_needs_the_token",
        f"{_GUARDS}::test_a_body_that_is_not_called_json_is_415",
    ),
    "X12": (
        f"{_RENDER}::test_the_text_of_a_memory_never_stands_at_the_margin",
        f"{_RENDER}::test_a_row_stays_a_row_whatever_its_cells_hold",
    ),
    # ------------------------------------------------------------------ performance
    "R01": (f"{_LIFE}::test_after_a_call_it_is_still_small_and_has_loaded_nothing_heavy",),
    "R03": (f"{_BENCH}::test_start_and_search_are_quick",),
    # ------------------------------------------------------------------ upgrade
    "U01": (
        "tests/store/test_reading.py::test_files_with_fewer_columns_are_used_in_place",
        f"{_WRITING}::test_a_database_from_before_titles_takes_it_too",
        f"{_TRANSFER}::test_the_latest_rows_fit_into_each_older_database",
        f"{_EARLIER}::test_an_upgraded_file_equals_a_new_one_and_what_it_was_is_kept",
    ),
    "U02": (
        "tests/store/test_reading.py::test_files_with_fewer_columns_are_used_in_place",
        "tests/store/test_reading.py::test_columns_that_appear_while_the_file_is_open_are_read",
        f"{_SCHEMA}::test_a_new_database_equals_that_of_claude_mem",
        f"{_EARLIER}::test_an_upgraded_file_equals_a_new_one_and_what_it_was_is_kept",
        "tests/state/test_database.py::test_a_file_without_our_tables_is_damaged",
    ),
    "U03": (  # no table of claude-mem's is ever changed; what is migrated is our own file
        f"{_EARLIER}::test_kill_9_amid_an_upgrade_leaves_the_old_file_and_a_copy",
        f"{_EARLIER}::test_without_room_for_a_copy_nothing_is_changed",
        f"{_EARLIER}::test_two_are_kept_the_newest",
        "tests/store/test_reading.py::test_reading_changes_nothing_in_the_file",
        f"{_WRITING}::test_the_row_and_its_session_are_as_claude_mem_writes_them",
    ),
    "U05": (
        f"{_WRITING}::test_the_row_and_its_session_are_as_claude_mem_writes_them",
        f"{_WRITING}::test_an_unknown_column_that_may_be_empty_is_left_alone",
        f"{_WRITING}::test_a_column_that_demands_what_we_do_not_know_makes_it_read_only",
        f"{_COEXISTENCE}::test_both_write_in_turn_without_an_error",
        "tests/integration/test_coexistence_imported.py::"
        "test_while_it_writes_all_the_time_imports_and_deletions_come_and_go",
        "tests/ingest/test_beside_claude_mem.py::"
        "test_a_session_that_claude_mem_goes_on_with_is_left_to_it",
        f"{_COEXISTENCE}::test_hooks_never_take_us_for_their_worker",
    ),
}
