"""The life of the worker, its store, its guards, and upgrades of both."""

from collections.abc import Mapping

_BACKUPS = "tests/integration/test_backups.py"
_BENCH = "tests/integration/test_large_memory.py"
_CHECKS = "tests/integration/test_checks.py"
_COMPACTING = "tests/ingest/test_compacting.py"
_CLIENT = "tests/shared/test_client.py"
_COEXISTENCE = "tests/integration/test_coexistence.py"
_CONNECTION = "tests/store/test_connection.py"
_DATABASES = "tests/integration/test_claude_mem_databases.py"
_DOCTOR = "tests/integration/test_doctor.py"
_EARLIER = "tests/state/test_earlier.py"
_DESCRIBE = "tests/app/supervisor/test_describe.py"
_MACHINE = "tests/app/supervisor/test_machine.py"
_STRANGERS = "tests/app/supervisor/test_ports.py"
_SUPERVISOR = "tests/app/supervisor/test_supervisor.py"
_FAULTS = "tests/integration/test_semantic_faults.py"
_FOLDER = "tests/integration/test_data_folder.py"
_GUARDS = "tests/web/test_guards.py"
_HEALTH = "tests/app/health/test_window.py"
_IMPORTING = "tests/integration/test_importing.py"
_LAUNCH = "tests/shared/test_launch.py"
_LAYERING = "tests/test_layering.py"
_WATCH = "tests/integration/test_life_watching.py"
_CASES = "tests/integration/test_launch_cases.py"
_STOP = "tests/integration/test_life_stop.py"
_MANY = "tests/integration/test_many_requests.py"
_PAGE = "tests/app/search_preview/test_page.py"
_PORTS = "tests/test_ports.py"
_REDACTION = "tests/integration/test_redaction.py"
_RENDER = "tests/search/test_render.py"
_RUN = "tests/integration/test_run.py"
_SAVING = "tests/integration/test_saving.py"
_SAVING_FAULTS = "tests/integration/test_saving_faults.py"
_SCHEMA = "tests/store/test_schema.py"
_SECURITY = "tests/integration/test_security.py"
_STATES = "tests/mcp_server/test_worker_states.py"
_STORE = "tests/integration/test_store_faults.py"
_SYNC = "tests/index/test_sync.py"
_TRANSFER = "tests/store/test_transfer.py"
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
