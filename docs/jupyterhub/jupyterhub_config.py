"""A hub on one machine, where every student has an account: `jupyterhub -f jupyterhub_config.py`.

The hub runs as root, as JupyterHub does by default: people log in with the password of their
account, and their notebooks run as themselves.
"""

import subprocess
from pathlib import Path
from typing import Any

from binteach.exercises.graders import read_roster

c = get_config()  # noqa: F821

LECTURER = "lecturer"
COURSE = Path("/home/lecturer/course")
COURSE_ID = "binteach"  # as in nbgrader_config.py

students = read_roster(COURSE / "roster.csv")
c.Authenticator.allowed_users = {LECTURER, *students}
c.Authenticator.admin_users = {LECTURER}
# nbgrader takes these groups for who grades the course and who attends it.
c.JupyterHub.load_groups = {
    f"formgrade-{COURSE_ID}": {"users": [LECTURER]},
    f"nbgrader-{COURSE_ID}": {"users": students},
}

# Only this machine: a web server in front of the hub has the certificate.
c.JupyterHub.bind_url = "http://127.0.0.1:8000"
c.Spawner.default_url = "/lab"


def hand_out(spawner: Any) -> None:
    """Put what `binteach assignment --seed-per-student` wrote for a student into their home.

    What the student has already is left alone. It is unpacked as the student: root must not write
    where somebody else may have put a link to another place.
    """
    name = spawner.user.name
    own = COURSE / "handout" / name
    if not own.is_dir():
        return
    folders = sorted(folder.name for folder in own.iterdir())
    packed = subprocess.run(
        ["tar", "--create", "--directory", own, "--", *folders], stdout=subprocess.PIPE, check=True
    )
    subprocess.run(
        ["tar", "--extract", "--skip-old-files", "--directory", spawner.user_env({})["HOME"]],
        input=packed.stdout,
        preexec_fn=spawner.make_preexec_fn(name),
        check=True,
    )


c.Spawner.pre_spawn_hook = hand_out
