"""Who may do what: one table, read by the pages, the API, the rules of Django and the documentation alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rules_app.engine.text import Text
from scoring_app.models import Club, Membership, Role, Session, Table

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser, User

DeviceRole = Literal["scorer", "viewer"]
OWNER, RULE_KEEPER, REFEREE, SCORER, VIEWER = (role.value for role in Role)

ROLES: dict[str, Text] = {
    OWNER: Text(zh="会长", en="owner"),
    RULE_KEEPER: Text(zh="规则管理员", en="rule keeper"),
    REFEREE: Text(zh="裁判", en="referee"),
    SCORER: Text(zh="记分员", en="scorer"),
    VIEWER: Text(zh="观众", en="viewer"),
}


@dataclass(frozen=True, slots=True)
class Permission:
    """An action and the roles that may do it; ``scope`` says whether it concerns the club, a session or a table."""

    action: str
    scope: Literal["club", "session", "table"]
    label: Text
    roles: frozenset[str]


def _row(action: str, scope: Literal["club", "session", "table"], zh: str, en: str, *roles: str) -> Permission:
    return Permission(action, scope, Text(zh=zh, en=en), frozenset(roles))


EVERYBODY = (OWNER, RULE_KEEPER, REFEREE, SCORER, VIEWER)
TABLE_WRITERS = (OWNER, REFEREE, SCORER)
OFFICIALS = (OWNER, REFEREE)

PERMISSIONS: dict[str, Permission] = {
    row.action: row
    for row in (
        _row("view_club", "club", "看俱乐部", "see the club", *EVERYBODY),
        _row("view_members", "club", "看成员", "see the members", *EVERYBODY),
        _row("view_statistics", "club", "看战绩", "see standings and statistics", *EVERYBODY),
        _row("edit_club", "club", "改俱乐部设置", "change the club's settings", OWNER),
        _row("grant_roles", "club", "分配身份", "give and take roles", OWNER),
        _row("invite", "club", "邀请成员", "invite members", *OFFICIALS),
        _row("edit_members", "club", "增改成员", "add and rename members", *OFFICIALS),
        _row("merge_members", "club", "合并成员", "merge a guest with a member", OWNER),
        _row("edit_seasons", "club", "设置赛季", "set up seasons", OWNER),
        _row("edit_rulesets", "club", "修改本会规则", "edit the club's rulesets", OWNER, RULE_KEEPER),
        _row("publish_rulesets", "club", "发布本会规则", "publish the club's rulesets", OWNER, RULE_KEEPER),
        _row("export", "club", "导出", "export", *OFFICIALS),
        _row("import_results", "club", "导入旧战绩", "import old results", OWNER),
        _row("edit_sessions", "session", "安排场次", "plan sessions", *OFFICIALS),
        _row("run_session", "session", "排座、换桌、计时、结束", "draw seats, rotate, time and end a session", *OFFICIALS),
        _row("open_table", "session", "开桌", "open a table", *TABLE_WRITERS),
        _row("charge_fees", "session", "收台费", "charge table fees", *OFFICIALS),
        _row("settle", "session", "结账", "settle up", *TABLE_WRITERS),
        _row("manage_devices", "session", "管理设备", "manage devices", *OFFICIALS),
        _row("view_table", "table", "看牌桌", "watch a table", *EVERYBODY),
        _row("record_round", "table", "记一局", "record rounds", *TABLE_WRITERS),
        _row("undo", "table", "撤销", "undo", *TABLE_WRITERS),
        _row("correct_entry", "table", "更正、作废", "correct and void entries", *TABLE_WRITERS),
        _row("record_penalty", "table", "记罚分", "record penalties", *TABLE_WRITERS),
        _row("record_transfer", "table", "另行转分", "move points outside the rules", *OFFICIALS),
        _row("change_seats", "table", "换人、换座", "change seats and substitute", *TABLE_WRITERS),
        _row("confirm_entry", "table", "确认记录", "confirm entries", *TABLE_WRITERS),
        _row("raise_dispute", "table", "提出异议", "dispute an entry", *EVERYBODY),
        _row("answer_dispute", "table", "处理异议", "settle disputes", *OFFICIALS),
        _row("set_scores", "table", "设定分数", "set scores", *OFFICIALS),
        _row("replay_seats", "table", "座位更正重算", "put wrong seats right and replay", *OFFICIALS),
        _row("change_rules", "table", "换规则版本", "move a table to other rules", OWNER, REFEREE),
        _row("give_time", "table", "加时", "give extra time", *OFFICIALS),
        _row("close_table", "table", "结束、重开牌桌", "close and reopen a table", *TABLE_WRITERS),
    )
}
"""The permission table."""


def roles_of(user: User | AnonymousUser | None, club: Club) -> frozenset[str]:
    """The roles of an account in a club; none for a stranger. A member without a role is a viewer."""
    if user is None or not user.is_authenticated:
        return frozenset()
    rows = Membership.objects.filter(member__club=club, member__account=user, member__merged_into=None, member__left_at=None)
    roles = frozenset(rows.values_list("role", flat=True))
    if roles or not club.members.active().filter(account=user).exists():
        return roles
    return frozenset({VIEWER})


def allowed(action: str, roles: frozenset[str] | set[str]) -> bool:
    """Whether one of the roles may do it; an action that is not in the table is nobody's."""
    permission = PERMISSIONS.get(action)
    return permission is not None and not permission.roles.isdisjoint(roles)


def may(user: User | AnonymousUser | None, action: str, club: Club) -> bool:
    """Whether an account may do something in a club."""
    return allowed(action, roles_of(user, club))


def may_in_session(
    action: str,
    *,
    session: Session,
    user: User | AnonymousUser | None = None,
    host: bool = False,
    device_role: DeviceRole | None = None,
) -> bool:
    """Whether something may be done in a session.

    ``host`` holds the organiser's secret, which opens everything in a session without a club and what a referee may
    do in one of a club.  A device adds its own role.
    """
    if session.club is None:
        opener = user is not None and user.is_authenticated and session.created_by_id == user.pk
        return _without_club(action, everything=host or opener, device_role=device_role)
    extra = ({REFEREE} if host else set()) | ({device_role} if device_role else set())
    return allowed(action, roles_of(user, session.club) | extra)


def may_at_table(
    action: str, *, table: Table, user: User | AnonymousUser | None = None, host: bool = False, device_role: DeviceRole | None = None
) -> bool:
    """Whether something may be done at a table.

    ``device_role`` is what the link or the grant of the device gives.  A table on its own belongs to its scorers;
    one of a session follows the session.
    """
    if table.session is not None:
        scorer_of_friends = table.session.club is None and device_role == SCORER
        if scorer_of_friends and action in PERMISSIONS and PERMISSIONS[action].scope == "table":
            return True
        return may_in_session(action, session=table.session, user=user, host=host, device_role=device_role)
    opener = user is not None and user.is_authenticated and table.created_by_id == user.pk
    return _without_club(action, everything=host or opener or device_role == SCORER, device_role=device_role)


def _without_club(action: str, *, everything: bool, device_role: DeviceRole | None) -> bool:
    if everything:
        return action in PERMISSIONS
    return device_role is not None and allowed(action, {device_role})
