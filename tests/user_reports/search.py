"""Searching, by words and by meaning, and what it costs."""

from collections.abc import Mapping

_BENCH = "tests/integration/test_large_memory.py"
_CHECKS = "tests/integration/test_checks.py"
_CHROMA = "tests/index/test_chroma.py"
_CHROMA_FAULTS = "tests/index/test_chroma_faults.py"
_DATABASES = "tests/integration/test_claude_mem_databases.py"
_FAULTS = "tests/integration/test_semantic_faults.py"
_HOSTILE = "tests/integration/test_hostile.py"
_LAYERS = "tests/search/test_next_layers.py"
_LIFE = "tests/mcp_server/test_life.py"
_ORDER = "tests/search/test_order.py"
_PARTS = "tests/search/test_missing_parts.py"
_QUERY = "tests/search/test_query.py"
_REINDEX = "tests/integration/test_reindex.py"
_RENDER = "tests/search/test_render.py"
_SERVICE = "tests/search/test_service.py"
_VECTORS = "tests/index/test_vectors_damage.py"

ROWS: Mapping[str, tuple[str, ...]] = {
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
        f"{_CHROMA_FAULTS}::test_an_sqlite_too_old_for_chroma_is_named",
    ),
    "V08": (
        f"{_FAULTS}::test_nobody_but_its_own_clients_is_spoken_to",
        f"{_CHROMA}::test_it_is_quiet_and_deaf_to_the_surroundings",
    ),
    "V11": (f"{_CHROMA}::test_no_file_is_open_after_closing",),
    # ------------------------------------------------------------------ performance
    "R01": (f"{_LIFE}::test_after_a_call_it_is_still_small_and_has_loaded_nothing_heavy",),
    "R03": (f"{_BENCH}::test_start_and_search_are_quick",),
}
