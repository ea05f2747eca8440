from django.db import migrations

from rules_app.triggers import Guard

TABLE = "rules_app_revision"
GUARDS = [
    Guard(
        "rules_app_revision_no_update",
        TABLE,
        "UPDATE",
        "immutable: a published revision is never changed",
        when="OLD.status = 'published'",
    ),
    Guard(
        "rules_app_revision_no_delete",
        TABLE,
        "DELETE",
        "immutable: a published revision is never deleted",
        when="OLD.status = 'published'",
    ),
]


class Migration(migrations.Migration):
    dependencies = [("rules_app", "0001_initial")]

    operations = [guard.operation() for guard in GUARDS]
