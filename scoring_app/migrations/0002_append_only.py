from django.db import migrations
from rules_app.triggers import Guard, append_only

ENTRY, CONTENT, POSTING = "scoring_app_entry", "scoring_app_content", "scoring_app_posting"
GUARDS = [
    *append_only(ENTRY),
    *append_only(CONTENT),
    *append_only(POSTING),
    # Postings come first and their content seals them, so that the sum can be checked at once on both
    # databases; a posting whose content never comes is refused by the deferred foreign key.
    Guard(
        f"{CONTENT}_balanced",
        CONTENT,
        "INSERT",
        "unbalanced: the postings of a content must sum to zero",
        when=f"(SELECT COALESCE(SUM(amount), 0) FROM {POSTING} WHERE content_id = NEW.id) <> 0",  # noqa: S608 -- names from above
    ),
    Guard(
        f"{POSTING}_sealed",
        POSTING,
        "INSERT",
        "sealed: no posting can be added to a content that is written",
        when=f"EXISTS (SELECT 1 FROM {CONTENT} WHERE id = NEW.content_id)",  # noqa: S608 -- names from above
    ),
]


class Migration(migrations.Migration):
    dependencies = [
        ("scoring_app", "0001_initial"),
        ("rules_app", "0002_published_revisions_stay"),
    ]

    operations = [guard.operation() for guard in GUARDS]
