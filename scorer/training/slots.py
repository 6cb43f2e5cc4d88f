"""What is filled into a phrase of a book, drawn anew each time."""

from random import Random

from .facts import DAYS, MONTHS, PEOPLE, PLACES

COMPANIES = "Norwind|Halden & Sons|Brightwater|Kestrel Labs|Oakline|Pereira Foods|Luma|Tallgrass|Vantor|Mirelle|Greyfield|Sunda Freight".split(
    "|"
)
PRODUCTS = "the Alto 300|the travel kettle|the blue backpack|the annual plan|the oak desk|the Pro licence|the headset|the starter kit|model K-12|the winter jacket|the tablet|the family pass".split(
    "|"
)
SLOTS = {
    "name": lambda r: r.choice(PEOPLE),
    "company": lambda r: r.choice(COMPANIES),
    "city": lambda r: r.choice(PLACES),
    "day": lambda r: r.choice(DAYS),
    "date": lambda r: r.choice(
        (
            f"{r.randint(1, 28)} {r.choice(MONTHS)}",
            f"{r.choice(MONTHS)} {r.randint(1, 28)}",
            f"{r.randint(1, 12):02d}/{r.randint(1, 28):02d}",
        )
    ),
    "time": lambda r: r.choice(
        (
            f"{r.randint(1, 12)} {r.choice(('am', 'pm'))}",
            f"{r.randint(0, 23)}:{r.choice(('00', '15', '30', '45'))}",
        )
    ),
    "amount": lambda r: r.choice(("${}", "{} euros", "€{}", "£{}.50", "{} dollars")).format(
        r.choice((r.randint(2, 99), r.randint(100, 4000)))
    ),
    "hex": lambda r: f"{r.randrange(16**8):08x}"[: r.choice((4, 6, 8))],
    "ip": lambda r: ".".join(str(r.randrange(1, 255)) for _ in range(4)),
    "number": lambda r: str(r.choice((r.randint(2, 40), r.randint(100, 9999)))),
    "product": lambda r: r.choice(PRODUCTS),
    "email": lambda r: (
        f"{r.choice(('j.moor', 'info', 'anna', 'team', 'k_roy', 'desk'))}@{r.choice(('example.com', 'example.org', 'mail.example'))}"
    ),
}


def filled(phrase: str, random: Random) -> str:
    for slot, draw in SLOTS.items():
        while "{" + slot + "}" in phrase:
            phrase = phrase.replace("{" + slot + "}", draw(random), 1)
    return phrase
