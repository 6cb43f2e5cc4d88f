"""Made-up facts of many kinds: a subject, a value, and how both are said, asked about and claimed.

A fact has several wordings for each of these, so that the sentence and the claim seldom share
more than the subject and the value. Kinds that are only for evaluation are listed separately.
"""

from functools import cache
from random import Random

from .telling import Draw, Fact, Flag, Subject, near_number

PEOPLE = "Ana Torres|Ben Okafor|Chen Wei|Dora Lind|Elif Kaya|Farid Haddad|Grace Kim|Hugo Blanc|Irina Petrova|Jonas Weber|Kavya Rao|Liam Byrne|Mona Said|Nils Berg|Olga Novak|Pedro Silva|Quinn Hale|Rosa Marin|Sami Aalto|Tara Singh|李伟|Анна Орлова|Γιώργος Νίκου|नेहा शर्मा|ليلى حسن|田中 さくら|김민준".split(
    "|"
)
PLACES = "Lisbon|Oslo|Nairobi|Lima|Hanoi|Quebec|Tunis|Perth|Riga|Porto|Kyoto|Denver|Cork|Bergen|Accra|Malmo|Graz|Izmir|Leeds|Tampere|東京|Москва|Αθήνα|القاهرة|서울|São Paulo|Kraków".split(
    "|"
)
THINGS = "red folder|spare key|blue suitcase|old camera|signed contract|backup disk|silver ring|green parcel|broken printer|visitor badge|first aid kit|projector|rental car|grey cat|master copy|test device".split(
    "|"
)
SPOTS = "in the kitchen|under the stairs|on the third shelf|behind the mirror|in locker 14|at the front desk|in the garage|next to the window|in the archive|on the roof|in room 207|in the drawer".split(
    "|"
)
COLOURS = "red|blue|green|yellow|black|white|orange|purple|grey|brown|🔴 red|🟢 green|🔵 blue".split("|")
TEAMS = "billing|support|sales|legal|security|logistics|design|research|marketing|operations".split("|")
DAYS = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday".split("|")
MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December".split("|")
JOBS = "an electrician|a nurse|a tax adviser|a baker|a pilot|a translator|a locksmith|a violin teacher|a geologist|a bus driver".split(
    "|"
)
DISHES = "lentil soup|fish pie|mushroom risotto|apple cake|grilled cheese|cold noodles|pea curry|rye bread|onion tart|plum jam".split(
    "|"
)
DRINKS = "black coffee|green tea|tomato juice|cider|sparkling water|cocoa|ginger beer|buttermilk".split("|")
SPORTS = "fencing|rowing|table tennis|judo|archery|cross-country skiing|water polo|climbing".split("|")
INSTRUMENTS = "the cello|the trumpet|the accordion|the harp|the drums|the oboe|the bass guitar".split("|")
SUBJECTS = "chemistry|history|statistics|law|botany|architecture|music theory|economics".split("|")
LANGUAGES = "Finnish|Portuguese|Swahili|Korean|Greek|Hungarian|Hindi|Welsh".split("|")
ANIMALS = "a parrot|two goats|a tortoise|a greyhound|three hens|a rabbit|a pony|an old cat".split("|")
VEHICLES = "the night train|a cargo bike|the ferry|a rented van|the tram|an electric scooter|a taxi".split(
    "|"
)
MATERIALS = "oak|aluminium|glass|concrete|leather|bamboo|copper|wool".split("|")
SERVICES = (
    "checkout|search|login|invoice export|image upload|mail delivery|the report page|the mobile app".split(
        "|"
    )
)
CAUSES = "a full disk|an expired certificate|a wrong setting|a power cut|a broken cable|too many requests|a missing index|a clock that was wrong".split(
    "|"
)
VERDICTS = "was approved|was turned down|was put on hold|was sent back for changes|was withdrawn|was forwarded to the board".split(
    "|"
)
SHIPMENTS = (
    "was refunded|was shipped|was cancelled|is waiting for payment|was lost in transit|was delivered".split(
        "|"
    )
)
GOODS = "wine glasses|garden chairs|printer paper|winter coats|coffee beans|bicycle tyres|paint|school books".split(
    "|"
)
HOTELS = "the Harbour Inn|Hotel Lindner|the Old Mill|Villa Rosa|the Station Hotel|the Pine Lodge".split("|")
AWARDS = "the safety prize|first place in the quiz|the design award|a scholarship|the cup|the teaching medal".split(
    "|"
)
SHOPS = (
    "the bakery|the chemist's|the bookshop|the bike shop|the florist|the shoe repair|the market hall".split(
        "|"
    )
)
PAYMENTS = "by card|by bank transfer|in cash|with a voucher|by direct debit|on account".split("|")
PRIORITIES = "low|normal|high|critical".split("|")
STATES = "open|closed|pending|resolved|waiting for the customer|reopened|expired|in progress".split("|")
HEALTH = "online|offline|degraded|restarting|under maintenance|idle|overloaded".split("|")
DELIVERIES = (
    "was delivered|was returned|is on its way|is at customs|was damaged|could not be delivered".split("|")
)
PLANS = "free|basic|team|premium|family|enterprise|trial".split("|")
ACCOUNT_STATES = "active|suspended|blocked|closed|unverified|overdrawn".split("|")
COUNTRIES = "Spain|Japan|Kenya|Norway|Peru|Vietnam|Canada|Italy|Ghana|Turkey|Poland|India".split("|")
ANSWERS = "yes|no|maybe|later|never|of course".split("|")
RIVERS = "the Arve|the Tay|the Nera|the Lomo|the Vesk|the Ilm".split("|")
BRIDGES = "the stone bridge|the railway bridge|the footbridge|the swing bridge|the toll bridge".split("|")


def number(random: Random) -> str:
    return str(
        random.choice((random.randint(2, 99), random.randint(100, 9999), random.randint(10_000, 999_999)))
    )


def one_of(values: list[str]) -> Draw:
    return lambda random: random.choice(values)


def amount(unit: str, low: int, high: int) -> Draw:
    return lambda random: unit.format(random.randint(low, high))


def clock(random: Random) -> str:
    return random.choice(
        (
            f"{random.randint(6, 22)}:{random.choice(('00', '15', '30', '45'))}",
            f"{random.randint(1, 12)} {random.choice(('am', 'pm'))}",
        )
    )


def date(random: Random) -> str:
    return random.choice(
        (
            f"{random.randint(1, 28)} {random.choice(MONTHS)}",
            f"{random.choice(MONTHS)} {random.randint(1, 28)}",
        )
    )


FIRST_NAMES = "Ada|Amir|Bea|Carl|Clara|David|Diego|Emma|Eva|Felix|Gita|Hanna|Ivan|James|Julia|Karim|Laura|Leo|Maria|Mark|Maya|Nadia|Noah|Omar|Paul|Priya|Sara|Sofia|Thomas|Yuki".split(
    "|"
)
LAST_NAMES = "Adams|Bauer|Costa|Dubois|Evans|Fischer|Garcia|Hansen|Ito|Jensen|Khan|Larsen|Lopez|Meyer|Miller|Nguyen|Olsen|Patel|Rossi|Santos|Schmidt|Smith|Tanaka|Walker|Weber|Wilson|Young|Zhang".split(
    "|"
)


def person(random: Random) -> str:
    return (
        random.choice(PEOPLE)
        if random.random() < 0.4
        else f"{random.choice(FIRST_NAMES)} {random.choice(LAST_NAMES)}"
    )


def namesake(name: str, random: Random) -> str:
    first, *_, last = name.split() if " " in name else (name, name)
    return (
        f"{first} {random.choice(LAST_NAMES)}"
        if random.random() < 0.5
        else f"{random.choice(FIRST_NAMES)} {last}"
    )


@cache
def numbered(what: str) -> Subject:
    return Subject(what, lambda random: f"{what} {number(random)}", near_number)


def named(noun: str, names: list[str]) -> Subject:
    return Subject(noun, one_of(names), lambda _, random: random.choice(names), bare=False)


PERSON = Subject("person", person, namesake)
PLACE, THING, SHOP, BRIDGE, SERVICE = (
    named("town", PLACES),
    named("thing", THINGS),
    named("shop", SHOPS),
    named("bridge", BRIDGES),
    named("service", SERVICES),
)
DAY = one_of(DAYS)

FACTS = (
    Fact(
        THING,
        one_of(SPOTS),
        "The {s} is {v}.|Somebody left the {s} {v}.|You will find the {s} {v}.|The {s} is not {o} any more, it is {v}.",
        "Where is the {s}?|Where should one look for the {s}?",
        "The {s} is {v}.|The {s} can be found {v}.",
        "place|found",
    ),
    Fact(
        PERSON,
        PLACE,
        "{s} lives in {v}.|{s} has a flat in {v}.|{s} moved to {v} last spring.|{s} moved from {o} to {v}.|{s} no longer lives in {o} but in {v}.",
        "Where does {s} live?|In which town is {s} at home?",
        "{s}'s home is {v}.|{s} lives in {v}.",
        "home|city|lives_in",
    ),
    Fact(
        PERSON,
        one_of(TEAMS),
        "{s} works in the {v} team.|{s} joined {v} this year.|In the {v} team there is now {s}.|{s} left {o} for the {v} team.",
        "Which team does {s} belong to?|Where does {s} work?",
        "{s} is in {v}.|{s} is one of the {v} people.",
        "team|department",
    ),
    Fact(
        PLACE,
        one_of(COLOURS),
        "The door of the {s} office is painted {v}.|In {s} the office has a {v} door.",
        "What colour is the door in {s}?",
        "In {s} the door is {v}.|The {s} office has a {v} door.",
        "door_colour|door",
    ),
    Fact(
        PLACE,
        DAY,
        "The shop in {s} is closed on {v}.|On {v} nobody opens the shop in {s}.|The shop in {s} used to close on {o}, now it closes on {v}.",
        "On which day is the {s} shop closed?",
        "You cannot buy anything at the {s} shop on {v}.|The {s} shop does not open on {v}.",
        "closed_on|closed",
    ),
    Fact(
        PLACE,
        number,
        "The access code for the {s} gate is {v}.|To get through the gate in {s}, type {v}.",
        "What is the access code for the {s} gate?",
        "The {s} gate opens with {v}.|{v} is the code of the {s} gate.",
        "gate_code|access code",
    ),
    Fact(
        PERSON,
        number,
        "{s} was given ticket number {v}.|Ticket {v} went to {s}.",
        "Which ticket number does {s} have?",
        "{s} holds ticket {v}.|{s}'s ticket is number {v}.",
        "ticket_number|ticket",
    ),
    Fact(
        numbered("order"),
        PERSON,
        "The customer of {s} is {v}.|{v} placed {s}.|We got {s} from {v}.",
        "Who placed {s}?|Whose is {s}?",
        "{s} was placed by {v}.|{v} is the customer of {s}.",
        "customer|placed_by",
    ),
    Fact(
        numbered("order"),
        one_of(SHIPMENTS),
        "Note that {s} {v}.|As of today {s} {v}.|First we thought that {s} {o}, but {s} {v}.",
        "What happened to {s}?|What is the state of {s}?",
        "{s} {v}.|It is right that {s} {v}.",
        "status|state",
    ),
    Fact(
        PERSON,
        one_of(THINGS),
        "{s} borrowed the {v}.|The {v} is with {s} at the moment.",
        "What did {s} borrow?",
        "The {v} was taken by {s}.|{s} has the {v}.",
        "borrowed",
    ),
    Fact(
        PERSON,
        one_of(JOBS),
        "{s} works as {v}.|By trade {s} is {v}.|Before the move {s} had trained to be {v}.",
        "What is {s}'s occupation?|What does {s} do for a living?",
        "{s} is {v}.|{s}'s job is that of {v}.",
        "job|occupation",
    ),
    Fact(
        PERSON,
        one_of(DISHES),
        "{s} brought {v} to the party.|The {v} on the table was made by {s}.",
        "What did {s} bring to the party?|What did {s} make?",
        "{s} came with {v}.|The {v} came from {s}.",
        "dish|brought",
    ),
    Fact(
        PERSON,
        one_of(DRINKS),
        "{s} only ever orders {v}.|For {s} it is {v}, as always.",
        "What does {s} drink?",
        "{s} drinks {v}.|{s}'s usual is {v}.",
        "drink|usual drink",
    ),
    Fact(
        PERSON,
        one_of(SPORTS),
        "{s} took up {v} in the autumn.|Every week {s} goes to {v} practice.",
        "Which sport does {s} do?",
        "{s} does {v}.|{s}'s sport is {v}.",
        "sport",
    ),
    Fact(
        PERSON,
        one_of(INSTRUMENTS),
        "{s} plays {v} in the town band.|In the band, {v} is played by {s}.",
        "Which instrument does {s} play?",
        "{s} plays {v}.|{s}'s instrument is {v}.",
        "instrument",
    ),
    Fact(
        PERSON,
        one_of(SUBJECTS),
        "{s} is studying {v}.|{s} enrolled for {v} in September.",
        "What does {s} study?",
        "{s} is a student of {v}.|{s}'s subject is {v}.",
        "studies|degree",
    ),
    Fact(
        PERSON,
        one_of(LANGUAGES),
        "{s} grew up speaking {v}.|At home {s} speaks {v}.",
        "What is {s}'s mother tongue?|Which language does {s} speak at home?",
        "{s} speaks {v}.|{s}'s first language is {v}.",
        "language|mother_tongue",
    ),
    Fact(
        PERSON,
        one_of(ANIMALS),
        "{s} keeps {v}.|There is {v} in {s}'s garden.",
        "Which animals does {s} keep?",
        "{s} has {v}.|{s} looks after {v}.",
        "animals|keeps",
    ),
    Fact(
        PERSON,
        one_of(VEHICLES),
        "{s} came by {v}.|{s} took {v} to get here.",
        "How did {s} travel?",
        "{s} arrived by {v}.|{s} used {v}.",
        "travelled_by|vehicle",
    ),
    Fact(
        PERSON,
        one_of(HOTELS),
        "{s} is staying at {v}.|A room at {v} was booked for {s}.",
        "Where is {s} staying?|In which hotel is {s}?",
        "{s} has a room at {v}.|{s}'s hotel is {v}.",
        "hotel",
    ),
    Fact(
        PERSON,
        one_of(AWARDS),
        "{s} won {v}.|This year {v} went to {s}.",
        "What did {s} win?",
        "{s} received {v}.|The winner of {v} is {s}.",
        "award|won",
    ),
    Fact(
        PERSON,
        PERSON,
        "{s} reports to {v}.|{v} is the manager of {s}.",
        "Who is {s}'s manager?",
        "{s}'s boss is {v}.|{s} works under {v}.",
        "manager|reports_to",
    ),
    Fact(
        PERSON,
        PERSON,
        "{s} is married to {v}.|{v} and {s} got married in June.",
        "Who is {s} married to?",
        "{v} is the spouse of {s}.|{s} and {v} are a couple.",
        "spouse|married_to",
    ),
    Fact(
        PERSON,
        PERSON,
        "{s} will be covered by {v} next week.|While {s} is away, call {v}.",
        "Who stands in for {s}?",
        "{v} is the deputy of {s}.|{v} fills in for {s}.",
        "deputy|covered_by",
    ),
    Fact(
        PERSON,
        one_of(MONTHS),
        "{s} will retire in {v}.|{v} will be the last month of work for {s}.",
        "When does {s} retire?",
        "{s} stops working in {v}.|{s}'s last month is {v}.",
        "retires_in|last_month",
    ),
    Fact(
        PERSON,
        date,
        "{s}'s birthday is on {v}.|{s} was born on {v}.",
        "When is {s}'s birthday?",
        "{s} celebrates on {v}.|{s} has a birthday on {v}.",
        "birthday",
    ),
    Fact(
        PERSON,
        amount("{} years old", 18, 90),
        "{s} is {v}.|{s}, {v}, was also present.",
        "How old is {s}?",
        "{s}'s age: {v}.|{s} is {v}.",
        "age",
    ),
    Fact(
        PERSON,
        amount("{} euros", 5, 900),
        "{s} still owes {v}.|We are waiting for {v} from {s}.",
        "How much does {s} owe?",
        "{s} has a debt of {v}.|{v} are due from {s}.",
        "owes|debt",
    ),
    Fact(
        PERSON,
        one_of(SPOTS),
        "{s} sits {v}.|You will find {s} {v}.",
        "Where does {s} sit?|Where is {s}?",
        "{s} is {v}.|{s}'s place is {v}.",
        "seat|sits",
    ),
    Fact(
        PERSON,
        amount("room {}", 1, 400),
        "{s} was moved to {v}.|In {v} there is {s}.|{s} was moved from {o} to {v}.|Instead of {o} {s} now has {v}.",
        "Which room is {s} in?",
        "{s} is in {v}.|{s} has {v}.",
        "room",
    ),
    Fact(
        numbered("parcel"),
        PLACE,
        "{s} is being held in {v}.|The depot in {v} has {s}.",
        "Where is {s}?",
        "{s} is in {v}.|{v} is where {s} is.",
        "depot|location",
    ),
    Fact(
        numbered("parcel"),
        amount("{} kg", 1, 60),
        "{s} weighs {v}.|On the scales {s} came to {v}.",
        "How heavy is {s}?",
        "The weight of {s} is {v}.|{s} is {v} heavy.",
        "weight",
    ),
    Fact(
        numbered("ticket"),
        one_of(TEAMS),
        "{s} was handed to {v}.|The {v} people have taken over {s}.|{s} was passed on from {o} to {v}.",
        "Which team has {s}?",
        "{s} is with {v}.|{v} handles {s}.",
        "team|handled_by",
    ),
    Fact(
        numbered("ticket"),
        one_of(SERVICES),
        "{s} is about {v}.|The complaint in {s} concerns {v}.",
        "What is {s} about?",
        "{s} concerns {v}.|The subject of {s} is {v}.",
        "about|topic",
    ),
    Fact(
        numbered("incident"),
        one_of(CAUSES),
        "{s} was caused by {v}.|Behind {s} was {v}.",
        "What caused {s}?|What was the reason for {s}?",
        "{s} came from {v}.|The cause of {s} was {v}.",
        "cause",
    ),
    Fact(
        numbered("incident"),
        amount("{} minutes", 2, 240),
        "{s} lasted {v}.|It took {v} to end {s}.",
        "How long did {s} last?",
        "{s} was over after {v}.|The length of {s} was {v}.",
        "duration|lasted",
    ),
    Fact(
        numbered("application"),
        one_of(VERDICTS),
        "{s} {v}.|We inform you that {s} {v}.",
        "What became of {s}?",
        "{s} {v}.|It is so that {s} {v}.",
        "outcome|decision",
    ),
    Fact(
        numbered("contract"),
        date,
        "{s} ends on {v}.|The last day of {s} is {v}.|{s} was extended from {o} to {v}.",
        "When does {s} end?",
        "{s} runs until {v}.|{s} is over on {v}.",
        "ends|end_date",
    ),
    Fact(
        numbered("contract"),
        amount("{} months", 1, 48),
        "{s} can be ended with {v}' notice.|The notice period of {s} is {v}.",
        "What is the notice period of {s}?",
        "Ending {s} takes {v}' notice.|{s} has a notice period of {v}.",
        "notice_period|notice",
    ),
    Fact(
        numbered("train"),
        clock,
        "{s} leaves at {v}.|The departure of {s} is at {v}.|{s} leaves at {v} instead of {o}.|The departure of {s} was put off from {o} to {v}.",
        "When does {s} leave?",
        "{s} departs at {v}.|At {v} {s} sets off.",
        "departure|leaves",
    ),
    Fact(
        numbered("train"),
        amount("platform {}", 1, 24),
        "{s} departs from {v}.|Go to {v} for {s}.|{s} leaves from {v}, not from {o}.",
        "Which platform does {s} use?",
        "{s} is on {v}.|{v} is right for {s}.",
        "platform",
    ),
    Fact(
        numbered("bus"),
        PLACE,
        "{s} goes as far as {v}.|The last stop of {s} is {v}.",
        "Where does {s} go?",
        "{s} ends in {v}.|With {s} one gets to {v}.",
        "last_stop|destination",
    ),
    Fact(
        numbered("pallet"),
        one_of(GOODS),
        "{s} holds {v}.|There are {v} on {s}.",
        "What is on {s}?",
        "{s} carries {v}.|The load of {s}: {v}.",
        "goods|load",
    ),
    Fact(
        numbered("batch"),
        one_of(MATERIALS),
        "{s} is made of {v}.|For {s} they used {v}.",
        "What is {s} made of?",
        "The material of {s} is {v}.|{s} consists of {v}.",
        "material",
    ),
    Fact(
        numbered("server"),
        amount("version {}", 2, 40),
        "{s} runs {v}.|{v} was installed on {s}.|{s} went from {o} to {v}.",
        "Which version does {s} run?",
        "{s} is on {v}.|On {s} there is {v}.",
        "version",
    ),
    Fact(
        numbered("lot"),
        amount("${}", 20, 9000),
        "{s} sold for {v}.|The hammer fell at {v} for {s}.",
        "How much was paid for {s}?",
        "The price of {s} was {v}.|{s} cost {v}.",
        "price|sold_for",
    ),
    Fact(
        numbered("house"),
        PERSON,
        "{s} belongs to {v}'s family.|The keys of {s} are with {v}.",
        "Who has {s}?",
        "{s} is in {v}'s hands.|{v} is in charge of {s}.",
        "keys|with",
    ),
    Fact(
        PLACE,
        amount("{} people", 30, 9000),
        "{v} came to the fair in {s}.|In {s} the fair was seen by {v}.",
        "How many people came to the fair in {s}?",
        "The {s} fair had {v}.|{v} were at the fair in {s}.",
        "fair_visitors|visitors",
    ),
    Fact(
        PLACE,
        PERSON,
        "The branch in {s} is run by {v}.|{v} took over the {s} branch.",
        "Who runs the branch in {s}?",
        "{v} is head of the {s} branch.|The manager in {s} is {v}.",
        "branch_manager|branch",
    ),
    Fact(
        PLACE,
        clock,
        "The museum in {s} closes at {v}.|In {s} one must leave the museum by {v}.",
        "When does the museum in {s} close?",
        "The {s} museum is open until {v}.|At {v} the museum in {s} shuts.",
        "museum_closes|closes",
    ),
    Fact(
        PLACE,
        amount("{} degrees", -20, 40),
        "In {s} it was {v} yesterday.|{s} reported {v}.",
        "How warm was it in {s}?",
        "The temperature in {s} was {v}.|{s} had {v}.",
        "temperature",
    ),
    Fact(
        PLACE,
        one_of(MONTHS),
        "The harbour of {s} will be rebuilt in {v}.|Work on the {s} harbour starts in {v}.",
        "When will the harbour of {s} be rebuilt?",
        "In {v} they work on the harbour of {s}.|The harbour works in {s} are in {v}.",
        "harbour_works|rebuilt_in",
    ),
    Fact(
        SHOP,
        clock,
        "{s} opens at {v}.|From {v} on you can go to {s}.",
        "When does {s} open?",
        "The opening time of {s} is {v}.|{s} is open from {v}.",
        "opens|opening_time",
    ),
    Fact(
        SHOP,
        amount("number {}", 1, 200),
        "{s} moved to {v}.|At {v} there is now {s}.",
        "At which number is {s}?",
        "{s} is at {v}.|The new address of {s} is {v}.",
        "street_number|number",
    ),
    Fact(
        BRIDGE,
        one_of(RIVERS),
        "{s} crosses {v}.|Over {v} leads {s}.",
        "Which river does {s} cross?",
        "{s} spans {v}.|Under {s} flows {v}.",
        "river|crosses",
    ),
    Fact(
        BRIDGE,
        amount("{} tonnes", 2, 60),
        "{s} carries up to {v}.|No more than {v} may go over {s}.",
        "How much may {s} carry?",
        "The limit on {s} is {v}.|{s} bears {v}.",
        "max_load|limit",
    ),
    Fact(
        SERVICE,
        PERSON,
        "Questions about {s} go to {v}.|{v} looks after {s}.",
        "Who is responsible for {s}?",
        "{v} is in charge of {s}.|For {s} ask {v}.",
        "contact|responsible",
    ),
    Fact(
        SERVICE,
        DAY,
        "An update of {s} is planned for {v}.|On {v} we change {s}.|The update of {s} was moved from {o} to {v}.|Not on {o} but on {v} we change {s}.",
        "When will {s} be updated?",
        "{s} gets its update on {v}.|{v} is the day of the change to {s}.",
        "update|update_on",
    ),
    Fact(
        THING,
        amount("{} euros", 3, 2000),
        "The {s} cost {v}.|We paid {v} for the {s}.",
        "How much was the {s}?",
        "The price of the {s} was {v}.|{v} were paid for the {s}.",
        "cost|price",
    ),
    Fact(
        THING,
        PERSON,
        "The {s} was found by {v}.|{v} found the {s} and handed it in.",
        "Who found the {s}?",
        "{v} is the finder of the {s}.|It was {v} who found the {s}.",
        "found_by|finder",
    ),
    Fact(
        numbered("order"),
        amount("{} euros", 5, 900),
        "{s} comes to {v}.|The total of {s} is {v}.|The total of {s} was corrected from {o} to {v}.",
        "How much is {s}?|What does {s} come to?",
        "{s} costs {v}.|{v} are due for {s}.",
        "total|amount|sum",
    ),
    Fact(
        numbered("order"),
        one_of(GOODS),
        "{s} is for {v}.|In {s} there are {v}.",
        "What was ordered in {s}?",
        "{s} contains {v}.|Somebody ordered {v} in {s}.",
        "goods|product|item",
    ),
    Fact(
        numbered("order"),
        PLACE,
        "{s} goes to {v}.|The address of {s} is in {v}.",
        "Where does {s} go?",
        "{s} is to be delivered to {v}.|{s} has an address in {v}.",
        "city|ship_to|destination",
    ),
    Fact(
        numbered("order"),
        date,
        "{s} was placed on {v}.|On {v} we received {s}.",
        "When was {s} placed?",
        "{s} came in on {v}.|{s} dates from {v}.",
        "date|ordered_on",
    ),
    Fact(
        numbered("order"),
        one_of(PAYMENTS),
        "{s} was paid {v}.|For {s} they paid {v}.",
        "How was {s} paid?",
        "{s} was settled {v}.|The payment of {s} was made {v}.",
        "payment|paid",
    ),
    Fact(
        numbered("ticket"),
        one_of(PRIORITIES),
        "{s} has {v} priority.|The priority of {s} was set to {v}.|{s} was raised from {o} to {v} priority.|{s} no longer has {o} but {v} priority.",
        "What is the priority of {s}?|How urgent is {s}?",
        "{s} is of {v} priority.|Somebody gave {s} {v} priority.",
        "priority|urgency",
    ),
    Fact(
        numbered("ticket"),
        one_of(STATES),
        "{s} is {v}.|As of now {s} is {v}.",
        "In which state is {s}?",
        "{s} is {v}.|It is right that {s} is {v}.",
        "status|state",
    ),
    Fact(
        numbered("ticket"),
        PERSON,
        "{s} was opened by {v}.|{v} wrote {s}.",
        "Who opened {s}?",
        "{s} comes from {v}.|The author of {s} is {v}.",
        "opened_by|author|customer",
    ),
    Fact(
        numbered("ticket"),
        date,
        "{s} was opened on {v}.|{s} came in on {v}.",
        "When was {s} opened?",
        "{s} dates from {v}.|{s} has been there since {v}.",
        "opened|created|date",
    ),
    Fact(
        numbered("server"),
        PLACE,
        "{s} stands in {v}.|The site of {s} is {v}.",
        "Where does {s} stand?",
        "{s} is in {v}.|{s} is located in {v}.",
        "site|region|location",
    ),
    Fact(
        numbered("server"),
        PERSON,
        "{s} is looked after by {v}.|{v} owns {s}.",
        "Who looks after {s}?",
        "{s} belongs to {v}.|The owner of {s} is {v}.",
        "owner|admin",
    ),
    Fact(
        numbered("server"),
        one_of(HEALTH),
        "{s} is {v}.|The monitor says that {s} is {v}.",
        "How is {s}?|What is the state of {s}?",
        "{s} is {v}.|Right now {s} is {v}.",
        "status|health",
    ),
    Fact(
        numbered("server"),
        amount("{} GB", 2, 512),
        "{s} has {v} of memory.|In {s} there are {v} of memory.",
        "How much memory does {s} have?",
        "The memory of {s} is {v}.|{s} comes with {v}.",
        "memory|ram",
    ),
    Fact(
        numbered("parcel"),
        PERSON,
        "{s} is addressed to {v}.|The name on {s} is {v}.",
        "Who is {s} for?",
        "{s} is for {v}.|{v} will get {s}.",
        "recipient|to",
    ),
    Fact(
        numbered("parcel"),
        one_of(DELIVERIES),
        "{s} {v}.|The tracking page says that {s} {v}.",
        "What happened to {s}?|What is the state of {s}?",
        "{s} {v}.|It is so that {s} {v}.",
        "status|tracking",
    ),
    Fact(
        numbered("contract"),
        PERSON,
        "{s} was signed by {v}.|The signature under {s} is that of {v}.",
        "Who signed {s}?",
        "{v} put a name to {s}.|{s} has {v} as its signer.",
        "signed_by|signer",
    ),
    Fact(
        numbered("contract"),
        one_of(STATES),
        "{s} is {v}.|In the register {s} is {v}.",
        "In which state is {s}?",
        "{s} is {v}.|It is right that {s} is {v}.",
        "status",
    ),
    Fact(
        numbered("account"),
        one_of(PLANS),
        "{s} is on the {v} plan.|{s} was moved to the {v} plan.|{s} changed from the {o} plan to the {v} plan.",
        "Which plan is {s} on?",
        "{s} has the {v} plan.|The plan of {s} is {v}.",
        "plan|tier",
    ),
    Fact(
        numbered("account"),
        one_of(ACCOUNT_STATES),
        "{s} is {v}.|Since yesterday {s} is {v}.",
        "What is the state of {s}?",
        "{s} is {v}.|It is right that {s} is {v}.",
        "status|state",
    ),
    Fact(
        numbered("account"),
        PERSON,
        "{s} belongs to {v}.|{v} holds {s}.",
        "Who holds {s}?",
        "The holder of {s} is {v}.|{s} is {v}'s.",
        "holder|owner|name",
    ),
    Fact(
        numbered("account"),
        amount("${}", 1, 9000),
        "There are {v} on {s}.|The balance of {s} is {v}.",
        "How much is on {s}?",
        "{s} holds {v}.|{s} shows {v}.",
        "balance|credit",
    ),
    Fact(
        numbered("account"),
        PLACE,
        "{s} was opened in {v}.|The branch of {s} is {v}.",
        "Where was {s} opened?",
        "{s} is with the branch in {v}.|{s} comes from {v}.",
        "branch|city",
    ),
    Fact(
        numbered("device"),
        amount("{} percent", 1, 100),
        "The battery of {s} is at {v}.|{s} has {v} left.",
        "How full is the battery of {s}?",
        "{s} is charged to {v}.|{s} shows {v}.",
        "battery|charge",
    ),
    Fact(
        numbered("device"),
        one_of(HEALTH),
        "{s} is {v}.|At the moment {s} is {v}.",
        "How is {s}?",
        "{s} is {v}.|Right now {s} is {v}.",
        "status",
    ),
    Fact(
        numbered("device"),
        PERSON,
        "{s} was handed to {v}.|{v} uses {s}.",
        "Who uses {s}?|Who has {s}?",
        "{s} is with {v}.|The user of {s} is {v}.",
        "user|assigned_to",
    ),
    Fact(
        numbered("product"),
        amount("${}", 1, 900),
        "{s} costs {v}.|The price of {s} is {v}.|{s} now costs {v} instead of {o}.",
        "How much is {s}?",
        "{s} sells for {v}.|One pays {v} for {s}.",
        "price|unit_price",
    ),
    Fact(
        numbered("product"),
        amount("{} pieces", 0, 500),
        "We have {v} of {s}.|Of {s} there are {v} left.",
        "How many pieces of {s} are left?",
        "{s} is there in {v}.|The stock of {s} is {v}.",
        "stock|in_stock|quantity",
    ),
    Fact(
        numbered("product"),
        one_of(COLOURS),
        "{s} is {v}.|{s} comes in {v}.",
        "Which colour is {s}?",
        "{s} is {v}.|The colour of {s} is {v}.",
        "colour|color",
    ),
    Fact(
        numbered("product"),
        PLACE,
        "{s} is stored in {v}.|The warehouse of {s} is in {v}.",
        "Where is {s} stored?",
        "{s} lies in {v}.|{v} is where {s} is stored.",
        "warehouse|location",
    ),
    Fact(
        numbered("product"),
        one_of(MATERIALS),
        "{s} is made of {v}.|For {s} they use {v}.",
        "What is {s} made of?",
        "{s} consists of {v}.|The material of {s} is {v}.",
        "material",
    ),
    Fact(
        numbered("case"),
        one_of(VERDICTS),
        "{s} {v}.|The court says that {s} {v}.",
        "What became of {s}?",
        "{s} {v}.|It is so that {s} {v}.",
        "outcome|decision",
    ),
    Fact(
        numbered("case"),
        PERSON,
        "{s} is handled by {v}.|{v} works on {s}.",
        "Who handles {s}?",
        "{s} is with {v}.|The person for {s} is {v}.",
        "clerk|handled_by",
    ),
    Fact(
        numbered("case"),
        date,
        "{s} will be heard on {v}.|The hearing of {s} is on {v}.|The hearing of {s} was moved from {o} to {v}.",
        "When will {s} be heard?",
        "{s} has its hearing on {v}.|{s} comes up on {v}.",
        "hearing|date",
    ),
    Fact(
        PERSON,
        one_of(PLANS),
        "{s} has the {v} plan.|{s} pays for the {v} plan.|{s} changed from {o} to {v}.",
        "Which plan does {s} have?",
        "{s} is on the {v} plan.|{s}'s plan is {v}.",
        "plan|subscription",
    ),
    Fact(
        PERSON,
        one_of(ACCOUNT_STATES),
        "{s}'s account is {v}.|As of today the account of {s} is {v}.",
        "What is the state of {s}'s account?",
        "{s}'s account is {v}.|{s} has an account that is {v}.",
        "status|account",
    ),
    Fact(
        PERSON,
        one_of(COUNTRIES),
        "{s} comes from {v}.|{s} was born in {v}.",
        "Which country is {s} from?",
        "{s} is from {v}.|{s}'s country is {v}.",
        "country|nationality",
    ),
    Fact(
        PERSON,
        amount("{} points", 0, 100),
        "{s} scored {v}.|In the test {s} got {v}.",
        "How many points did {s} get?",
        "{s} has {v}.|{s}'s result is {v}.",
        "points|score",
    ),
    Fact(
        PERSON,
        amount("${}", 1200, 9900),
        "{s} earns {v} a month.|{s} is paid {v} a month.",
        "How much does {s} earn?",
        "{s} makes {v} a month.|{s}'s pay is {v}.",
        "salary|pay",
    ),
    Fact(
        PERSON,
        one_of(ANSWERS),
        "{s} answered with {v}.|To the question {s} said {v}.",
        "What did {s} answer?",
        "{s} said {v}.|{s}'s answer was {v}.",
        "answer|reply",
    ),
)

# What is true of a record or is not.
FLAGS = (
    Flag(
        "email_verified|verified",
        "The email address of {s} is verified.|{s} is verified.|{s} has confirmed the address.",
        "The email address of {s} is not verified.|{s} has not been verified.",
    ),
    Flag(
        "active|is_active|enabled",
        "{s} is active.|{s} is enabled.",
        "{s} is not active.|{s} is switched off.",
    ),
    Flag(
        "admin|is_admin",
        "{s} is an administrator.|{s} has administrator rights.",
        "{s} is no administrator.|{s} has no administrator rights.",
    ),
    Flag(
        "paid|is_paid",
        "{s} has paid.|The payment of {s} has arrived.",
        "{s} has not paid yet.|The payment of {s} is still missing.",
    ),
    Flag(
        "subscribed|newsletter",
        "{s} gets the newsletter.|{s} has subscribed.",
        "{s} does not get the newsletter.|{s} has not subscribed.",
    ),
    Flag(
        "two_factor|mfa_enabled|mfa",
        "{s} uses a second factor.|Two-factor login is on for {s}.",
        "{s} does without a second factor.|Two-factor login is off for {s}.",
    ),
    Flag("locked|blocked", "{s} is locked.|{s} is blocked.", "{s} is not locked.|{s} is open to use."),
    Flag("archived", "{s} has been archived.|{s} is in the archive.", "{s} has not been archived."),
    Flag(
        "express|is_express",
        "{s} goes by express.|Express delivery was chosen for {s}.",
        "{s} goes the ordinary way.|No express delivery was chosen for {s}.",
    ),
    Flag("gift|is_gift", "{s} is a gift.|{s} is meant as a present.", "{s} is not a gift."),
    Flag(
        "insured",
        "{s} is insured.|There is insurance for {s}.",
        "{s} is not insured.|There is no insurance for {s}.",
    ),
    Flag(
        "signed|is_signed",
        "{s} has been signed.|There is a signature for {s}.",
        "{s} has not been signed.|The signature is missing for {s}.",
    ),
    Flag(
        "confirmed",
        "{s} is confirmed.|{s} has been confirmed.",
        "{s} is not confirmed yet.|{s} still has to be confirmed.",
    ),
    Flag("refundable", "{s} can be refunded.|Money back is possible for {s}.", "{s} cannot be refunded."),
    Flag(
        "remote|works_remotely",
        "{s} works from home.|{s} is remote.",
        "{s} does not work from home.|{s} works on site.",
    ),
    Flag(
        "deleted|is_deleted",
        "{s} has been deleted.|{s} was removed.",
        "{s} has not been deleted.|{s} is still there.",
    ),
    Flag("public|is_public", "{s} is public.|Everybody can see {s}.", "{s} is private.|{s} is not public."),
    Flag("encrypted", "{s} is encrypted.", "{s} is not encrypted.|{s} lies there unprotected."),
    Flag(
        "backup|has_backup",
        "There is a backup of {s}.|{s} is backed up.",
        "There is no backup of {s}.|{s} is not backed up.",
    ),
    Flag(
        "vip|premium",
        "{s} is a premium customer.|{s} counts as a VIP.",
        "{s} is an ordinary customer.|{s} is no VIP.",
    ),
    Flag("in_stock|available", "{s} is available.|{s} can be had.", "{s} is not available.|{s} is sold out."),
    Flag("overdue|late", "{s} is late.|{s} is overdue.", "{s} is on time.|{s} is not overdue."),
)
# Kinds of fact that no training request contains.
UNSEEN_FLAGS = (
    Flag("fragile", "{s} is fragile.|{s} breaks easily.", "{s} is not fragile."),
    Flag("checked_in", "{s} has checked in.|The check-in of {s} is done.", "{s} has not checked in yet."),
    Flag("tax_exempt", "{s} pays no tax.|{s} is exempt from tax.", "{s} is not exempt from tax."),
)
UNSEEN_FACTS = (
    Fact(
        PERSON,
        one_of(
            ["a violin", "a bakery", "two sailing boats", "a vineyard", "an old lighthouse", "a chess club"]
        ),
        "It turned out that {s} owns {v}.",
        "What does {s} own?",
        "{s} is the owner of {v}.",
        "owns",
    ),
    Fact(
        numbered("meeting"),
        DAY,
        "Please remember that {s} was moved to {v}.",
        "When will {s} take place?",
        "{s} takes place on {v}.",
        "moved_to",
    ),
    Fact(
        PERSON,
        one_of(["peanuts", "shellfish", "penicillin", "cat hair", "pollen", "wool"]),
        "The nurse wrote down that {s} is allergic to {v}.",
        "What is {s} allergic to?",
        "{s} cannot tolerate {v}.",
        "allergic_to",
    ),
    Fact(
        numbered("flight"),
        PLACE,
        "Because of the storm {s} landed in {v} instead.",
        "Where did {s} land?",
        "{s} came down in {v}.",
        "landed_in",
    ),
    Fact(
        numbered("invoice"),
        one_of(
            [
                "was paid twice",
                "has never been paid",
                "was sent to the wrong address",
                "contains a wrong amount",
            ]
        ),
        "We found out that {s} {v}.",
        "What is wrong with {s}?",
        "{s} {v}.",
        "problem",
    ),
    Fact(
        numbered("meeting"),
        one_of(["the glass room", "the attic", "the north hall", "the canteen", "the green salon"]),
        "The chair has booked {v} for {s}.",
        "In which room is {s}?",
        "{s} is held in {v}.",
        "held_in",
    ),
    Fact(
        numbered("meeting"),
        PERSON,
        "This time {s} is chaired by {v}.",
        "Who chairs {s}?",
        "{v} leads {s}.",
        "chair",
    ),
    Fact(
        numbered("flight"),
        amount("gate {}", 1, 80),
        "Passengers of {s} please go to {v}.",
        "From which gate does {s} leave?",
        "{s} boards at {v}.",
        "gate",
    ),
    Fact(
        numbered("flight"),
        one_of(["is delayed", "is boarding", "has departed", "has been diverted", "is on time"]),
        "The board shows that {s} {v}.",
        "What does the board say about {s}?",
        "{s} {v}.",
        "board_status",
    ),
    Fact(
        numbered("invoice"),
        amount("{} francs", 5, 5000),
        "The sum on {s} is {v}.",
        "How high is {s}?",
        "{s} asks for {v}.",
        "sum_due",
    ),
    Fact(
        numbered("invoice"),
        PERSON,
        "We sent {s} to {v}.",
        "To whom was {s} sent?",
        "{s} went to {v}.",
        "sent_to",
    ),
)
