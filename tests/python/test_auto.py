"""`import mtlcap.auto`."""

import pytest

from conftest import python, run

SHOW = "import mtlcap.auto\nprint(mtlcap.query('apple').effective)"


@pytest.mark.parametrize("env, expected", [
    ({}, "7"),
    ({"MTLCAP_PROFILE": "apple.min=6"}, "6"),
    ({"MTLCAP_PROFILE": ""}, "7"),
    ({"MTLCAP_PROFILE": "apple.min=9", "MTLCAP_ALLOW": "beyond-hardware"}, "9"),
    ({"MTLCAP_DISABLE": "1"}, "5"),
])
def test_applies(env, expected):
    assert python(SHOW, env=env) == expected + "\n"


@pytest.mark.parametrize("machine", [None, "none"])
def test_nothing_to_apply_to(machine):
    assert python("import mtlcap.auto; print(mtlcap.is_active())", machine=machine) == "False\n"


@pytest.mark.parametrize("machine, error", [(None, "UnsupportedError"), ("none", "NoDeviceError")])
def test_strict(machine, error):
    result = run("-c", "import mtlcap.auto", machine=machine, env={"MTLCAP_STRICT": "1"})
    assert result.returncode == 1 and error in result.stderr


@pytest.mark.parametrize("env, error", [({"MTLCAP_PROFILE": "nonsense"}, "ProfileError"),
                                        ({"MTLCAP_PROFILE": "apple.min=9"}, "HazardError")])
def test_mistakes_are_raised(env, error):
    result = run("-c", SHOW, env=env)
    assert result.returncode == 1 and error in result.stderr


def test_importing_again_applies_nothing_again():
    assert python("""
        import mtlcap.auto
        mtlcap.restore()
        import mtlcap.auto
        print(mtlcap.is_active())
    """) == "False\n"
