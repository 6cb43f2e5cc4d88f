"""A text among the words that it comes with: greeting, signature, disclaimer, quoted mail, turns of a talk.

None of these says anything about the text's matter. Without such rows the model takes the mean of all
words, and a polite frame around a complaint makes it friendlier.
"""

from random import Random

from .facts import FIRST_NAMES

GREETINGS = (
    "Hi,", "Hello!", "Dear Sir or Madam,", "Dear team,", "Hi {n},", "Dear {n},", "Good morning,", "Hey {n}", "To whom it may concern,",
    "Hello {n},", "Good afternoon,", "Dear all,", "hi there", "Hi all,", "Dear support,", "Good evening {n},", "{n},", "Greetings,",
)  # fmt: skip
CLOSINGS = (
    "Best regards,", "Regards,", "Thanks,", "Thank you,", "Best,", "Yours sincerely,", "Sincerely,", "Many thanks,", "Cheers,", "Yours faithfully,",
    "With kind regards,", "Thanks in advance,", "Have a nice day", "Warm regards,", "All the best,", "Thx", "Greetings from {p},", "Best wishes",
)  # fmt: skip
PLACES = ("Oslo", "Perth", "Bristol", "Denver", "Porto", "Graz", "Cork", "Lyon", "Utrecht", "Tampa")
SURNAMES = ("Hale", "Okafor", "Lind", "Marsh", "Petrov", "Costa", "Byrne", "Novak", "Tanaka", "Moreau", "Fischer", "Silva")  # fmt: skip
ROLES = ("Office Manager", "Sales Assistant", "Accounts", "Project Lead", "Customer", "Operations", "IT", "Chief of Staff", "Site Supervisor", "Purchasing")  # fmt: skip
COMPANIES = ("Alder & Sons", "Brightwater Foods", "Kestrel Logistics", "Orchard House GmbH", "Lumen Studio", "Harbour Tools Inc.", "Quarry Street Clinic", "Fennel Books")  # fmt: skip
DEVICES = ("Sent from my phone", "Sent from my tablet", "Get the app for your mailbox", "Sent with a mobile device, please excuse brevity and typos")  # fmt: skip
DISCLAIMERS = (
    "CONFIDENTIALITY NOTICE: The contents of this message are meant for the person to whom it is addressed. If you are not that person, do not copy or forward it.",
    "This message may contain privileged information. If it reached you by mistake, let us know and remove it from your system.",
    "{c} is registered in {p} under number {d}. Registered office: {d} Station Road, {p}.",
    "Please think of the trees before you print this.",
    "Views expressed here are personal and do not bind {c}.",
    "Although this message was scanned for viruses, {c} accepts no liability for damage caused by it.",
    "You receive this because you are a contact of {c}. Manage your preferences in your profile.",
    "Our opening hours are Monday to Friday, 9 to 5. Our privacy policy is on our website.",
)  # fmt: skip
QUOTED = (
    "Thank you for your message. It has been given the number {d}. We answer within three working days.",
    "This is an automatic reply. I am out of the office until Monday and read my mail after that.",
    "Hello {n}, thanks for getting in touch. Could you tell me a bit more about it? Regards, {m}",
    "Dear {n}, we have received your mail and passed it on to the colleagues in charge. {c}",
    "Hi {n}, just following up on this one. {m}",
    "How can we improve? Take our two-minute survey. Your {c} team",
    "Please quote reference {d} in all correspondence.",
    "Hi {m}, see below. Can you have a look when you have a minute? {n}",
)  # fmt: skip
QUOTES = (
    "On {w}, {m} wrote:",
    "----- Original message -----\nFrom: {m}\nTo: {n}\nSent: {w}",
    "From: {c} Support\nDate: {w}",
    "{w} {m}:",
    ">> {m}, {w}",
)
DAYS = ("Mon, 12 May 2025 at 08:40", "7 January 2024 17:22", "Thu 3 October, 10:05", "2025-11-19 13:57", "Friday, 21 June 2024 09:31", "Yesterday 16:12")  # fmt: skip
SUBJECTS = ("Re: our call", "FW: your message", "Message from the website", "(no subject)", "Re: Re: request", "Contact form", "New message", "Re: {d}")  # fmt: skip
SIDES = (("Agent", "Customer"), ("Support", "User"), ("Bot", "Visitor"), ("Operator", "Caller"), ("A", "B"), ("Assistant", "Guest"), ("{m}", "{n}"), ("Clerk", "Client"))  # fmt: skip
OPENING_TURNS = ("Welcome to {c}, how can I help?", "Good morning, {m} speaking.", "Hi! What brings you here today?", "Hello, you are talking to {m}.", "Thanks for waiting. What is it about?", "How may I assist you?")  # fmt: skip
FILLERS = ("Hi", "Good morning.", "Hello, is anybody there?", "Give me a second.", "yes hi", "One moment, I have to look for it.", "Hello {m}.")  # fmt: skip
WAITING_TURNS = ("Sure.", "Go ahead.", "I'm listening.", "Take your time.", "Yes, of course.", "May I have your name first? - {n}.")  # fmt: skip
CLOSING_TURNS = ("Let me check that.", "I see, one moment.", "Thanks, I have written that down.", "Okay. Anything else I should know?", "Understood, please hold the line.", "Noted.")  # fmt: skip
LAST_TURNS = ("No, that's it.", "ok", "Okay, I'll wait.", "Nothing else.", "Alright.", "That was all.")


def mailed(text: str, random: Random) -> str:
    """As the body of a mail, with some of what surrounds one."""
    said = _Speech(random)
    parts = [text]
    if random.random() < 0.8:
        parts.insert(0, said(GREETINGS))
    if random.random() < 0.85:
        parts.append("\n".join([said(CLOSINGS), *_signature(random, said)]))
    if random.random() < 0.35:
        parts.append(said(DISCLAIMERS))
    if random.random() < 0.35:
        quoted = said(QUOTED)
        mark = random.choice(("> ", "| ", ""))
        parts.append(f"{said(QUOTES)}\n{mark}{quoted}")
    if random.random() < 0.2:
        parts.insert(0, f"Subject: {said(SUBJECTS)}")
    return random.choice(("\n\n", "\n\n", "\n", " ")).join(parts)


def talked(text: str, random: Random) -> str:
    """As one turn of a talk."""
    said = _Speech(random)
    asks, answers = (side.format(**said.named) for side in random.choice(SIDES))
    turns = [(answers, text)]
    if random.random() < 0.6:
        turns = [(answers, said(FILLERS)), (asks, said(WAITING_TURNS)), *turns]
    if random.random() < 0.85:
        turns.insert(0, (asks, said(OPENING_TURNS)))
    if random.random() < 0.7:
        turns.append((asks, said(CLOSING_TURNS)))
        if random.random() < 0.6:
            turns.append((answers, said(LAST_TURNS)))
    return random.choice(("\n", "\n", " ")).join(f"{who}: {words}" for who, words in turns)


def received(text: str, random: Random) -> str:
    return random.choice((mailed, mailed, talked))(text, random)


class _Speech:
    """Picks one of several phrases, about the same people each time."""

    def __init__(self, random: Random):
        self.random = random
        n, m = random.sample(FIRST_NAMES, 2)
        self.named = {
            "n": n,
            "m": m,
            "c": random.choice(COMPANIES),
            "p": random.choice(PLACES),
            "d": random.randrange(10_000, 10_000_000),
            "w": random.choice(DAYS),
        }

    def __call__(self, phrases: tuple[str, ...]) -> str:
        return self.random.choice(phrases).format(**self.named)


def _signature(random: Random, said: _Speech) -> list[str]:
    name = said.named["n"]
    lines = [name if random.random() < 0.5 else f"{name} {random.choice(SURNAMES)}"]
    if random.random() < 0.4:
        lines.append(f"{random.choice(ROLES)}, {said.named['c']}")
    if random.random() < 0.3:
        lines.append(f"Tel. {random.randrange(10**8, 10**9)}")
    if random.random() < 0.2:
        lines.append(random.choice(DEVICES))
    return lines
