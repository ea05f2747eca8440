from django.db import migrations
from rules_app.triggers import append_only

TABLES = [f"scoring_app_{name}" for name in ("confirmation", "dispute", "disputeanswer", "seatdraw", "extratime")]


class Migration(migrations.Migration):
    dependencies = [("scoring_app", "0003_clubs_and_sessions")]

    operations = [guard.operation() for table in TABLES for guard in append_only(table)]
