"""What is never trained on, and why."""

# Terms of these data sets do not allow commercial use.
NON_COMMERCIAL = (
    "airline_sentiment",
    "alexa_stars",
    "cefr_sentence",
    "dream",
    "fact_blank",
    "race",
    "relation",
    "relation_statement",
    "suggestion",
    "switchboard_act",
)

# Each of its 322 questions has one answer, whatever the news next to it says: what came true later. The
# published snapshot did learn from it, so it is listed among the sources.
UNSETTLED = ("argus_yesno",)

# Whole tasks kept for zero-shot development figures, by the kind of decision they stand for.
NEVER_TRAINED = {
    "sentiment": ("product_sentences", "yelp_sentences"),
    "topic": ("bbc_news", "snips", "hwu64_scenario"),
    "intents": ("hwu64",),
    "emotion": ("isear", "emobank_valence"),
    "pairs": ("medical_question_pairs", "med_monotonicity", "dnc_sentiment"),
    "reading": ("folio", "stance_climate"),
    "moderation": ("davidson_hate", "tweet_irony"),
    "triage": ("github_issue_type", "disaster_tweets", "log_severity"),
}
NEVER_TRAINED_TASKS = tuple(task for kind in NEVER_TRAINED.values() for task in kind)
# The sixteen the first prototypes were measured on, for comparison with their figures.
PROTOTYPE_TASKS = tuple(t for t in NEVER_TRAINED_TASKS if t not in ("med_monotonicity", "dnc_sentiment"))

# Other questions about the texts of a never-trained task.
KIN = ("emobank_arousal", "emobank_dominance", "github_issue_repo", "log_system", "log_template")

LEFT_OUT = frozenset(NON_COMMERCIAL + NEVER_TRAINED_TASKS + KIN)
