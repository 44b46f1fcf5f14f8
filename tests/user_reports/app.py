"""The app and its windows, imports, and what is installed."""

from collections.abc import Mapping

_A_DAY = "tests/e2e/test_a_day.py"
_CLAUDE_AI = "tests/ingest/claude_ai/test_export.py"
_ENTRY = "tests/shared/clients/test_entry.py"
_FAULTS = "tests/integration/test_semantic_faults.py"
_HOME = "tests/app/home/test_window.py"
_INSTALLERS = "tests/packaging/test_installers.py"
_IMPORTING = "tests/integration/test_importing.py"
_ICONS = "tests/app/tray/test_icons.py"
_LAUNCH = "tests/shared/test_launch.py"
_LAYERING = "tests/test_layering.py"
_LINUX = "tests/packaging/test_linux.py"
_LINES = "tests/ingest/transcripts/test_lines.py"
_LIFE = "tests/mcp_server/test_life.py"
_MEMORIES = "tests/ingest/transcripts/test_memories.py"
_RUN = "tests/integration/test_run.py"
_WHOLE_APP = "tests/app/test_whole_app.py"

ROWS: Mapping[str, tuple[str, ...]] = {
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
}
