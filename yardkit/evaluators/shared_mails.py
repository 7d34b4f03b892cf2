"""Mails to a group that includes the owner: their texts, and near misses of them."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from email.message import EmailMessage

from yardkit.evaluators.checkpoints import Facts
from yardkit.evaluators.leaves import Mails
from yardkit.evaluators.readers.answers import find_numbers
from yardkit.evaluators.readers.mails import Mail, read_owner
from yardkit.evaluators.submission import Submission

_REFUSALS = re.compile(
    r"\b(not|no|another|other|else\w*|instead|declin\w+|unfortunately|regret\w*|sorry|without)\b|n.t\b", re.IGNORECASE
)


@dataclass(frozen=True)
class SharedMails(Mails):
    """Mails of which the owner may have a copy, too."""

    def read_written(self, submission: Submission) -> list[Mail]:
        """Read them as `Mails` does, without the owner among the recipients."""
        me = read_owner(submission)

        def others(people: Iterable[str]) -> tuple[str, ...]:
            return tuple(person for person in people if person != me)

        return [
            replace(mail, to=others(mail.to), cc=others(mail.cc), bcc=others(mail.bcc))
            for mail in super().read_written(submission)
        ]


def is_refusal(text: str) -> bool:
    """Whether an English letter has a word that occurs in every refusal."""
    return bool(_REFUSALS.search(text))


def states_number(text: str, name: str, number: float) -> bool:
    """Whether the first number after a name, in its line, is this one."""
    lines = re.findall(rf"\b{re.escape(name)}\b(.*)", text)
    return any(find_numbers(line)[:1] == [number] for line in lines)


def words_replaced(old: str, new: str) -> Callable[[EmailMessage, Facts], None]:
    """Words of a mail are replaced; both texts may contain facts, such as ``{people} people``."""

    def change(message: EmailMessage, facts: Facts) -> None:
        message.set_content(message.get_content().replace(old.format(**facts), new.format(**facts)))

    return change


def taken_out_of_thread(message: EmailMessage, _facts: Facts) -> None:
    """A mail no longer answers another one."""
    del message["In-Reply-To"], message["References"]
