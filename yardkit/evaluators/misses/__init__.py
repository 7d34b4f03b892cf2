"""Ready near misses: each spoils a copy of the solved world in one way and names the leaves that must catch it.

A proof module names them:
``near_miss_row_left_out = InSheet("plan.xlsx", "Plan").row_gone(caught_by="each_once")``.
"""

from yardkit.evaluators.misses.answers import (
    all_answers_listed,
    answered_with,
    change_answer,
    make_empty_words,
    never_inspected,
    never_looked,
    number_off,
)
from yardkit.evaluators.misses.csv_files import csv_changed
from yardkit.evaluators.misses.decks import InDeck
from yardkit.evaluators.misses.documents import picture_gone, style_lost, text_changed
from yardkit.evaluators.misses.drawn_boxes import draw_boxes, draw_other_boxes, save_boxed
from yardkit.evaluators.misses.edits import edit_file, edits_by, make_edit_decorator, open_edited, set_attributes
from yardkit.evaluators.misses.events import event_changed, event_file
from yardkit.evaluators.misses.files import delete_file, move_file, overwrite_file
from yardkit.evaluators.misses.films import film_edited
from yardkit.evaluators.misses.mails import mail_edited, mail_moved, mail_removed, mails_joined
from yardkit.evaluators.misses.pdf_pages import page_gone, pages_swapped
from yardkit.evaluators.misses.pdf_words import reset_pdf
from yardkit.evaluators.misses.pictures import picture_changed, picture_changes, picture_shrunk
from yardkit.evaluators.misses.records import change_records
from yardkit.evaluators.misses.slide_pictures import slide_picture_changed, slides_emptied
from yardkit.evaluators.misses.sounds import sound_changed
from yardkit.evaluators.misses.warehouse import table_changed, table_renamed, table_retyped
from yardkit.evaluators.misses.workbooks import InSheet, add_rule
from yardkit.evaluators.mutations.film_edits import FilmEdit, rewrite_film

__all__ = [
    "FilmEdit",
    "InDeck",
    "InSheet",
    "add_rule",
    "all_answers_listed",
    "answered_with",
    "change_answer",
    "change_records",
    "csv_changed",
    "delete_file",
    "draw_boxes",
    "draw_other_boxes",
    "edit_file",
    "edits_by",
    "event_changed",
    "event_file",
    "film_edited",
    "mail_edited",
    "mail_moved",
    "mail_removed",
    "mails_joined",
    "make_edit_decorator",
    "make_empty_words",
    "move_file",
    "never_inspected",
    "never_looked",
    "number_off",
    "open_edited",
    "overwrite_file",
    "page_gone",
    "pages_swapped",
    "picture_changed",
    "picture_changes",
    "picture_gone",
    "picture_shrunk",
    "reset_pdf",
    "rewrite_film",
    "save_boxed",
    "set_attributes",
    "slide_picture_changed",
    "slides_emptied",
    "sound_changed",
    "style_lost",
    "table_changed",
    "table_renamed",
    "table_retyped",
    "text_changed",
]
