"""Questions, devices, tables, apply and restore, in one process on the default machine."""

import ctypes
import inspect

import pytest

import mtlcap
from conftest import python


def test_apply_and_restore():
    report = mtlcap.apply("auto")
    assert report.profile == "auto" and report.generation == mtlcap.generation() != 0
    assert (report.device_count, report.class_count) == (1, 1) and report.hook_count >= 1
    first = report.changes[0]
    assert (first.capability, first.stock, first.effective) == ("apple", "5", "7")
    assert first.rule == "auto: apple.min=7" and not first.derived
    assert "raytracing" in {c.capability for c in report.changes if c.derived}
    assert report.findings == () and report.allowed == ()
    assert mtlcap.is_active() and mtlcap.report() == report
    assert str(report).splitlines()[1] == "  apple: 5 -> 7 (auto: apple.min=7)"
    mtlcap.restore()
    assert not mtlcap.is_active() and mtlcap.generation() == 0
    assert mtlcap.query("apple").effective == 5
    mtlcap.restore()


def test_default_profile_is_auto():
    assert mtlcap.apply().profile == "auto"


def test_applying_again_replaces():
    first = mtlcap.apply("apple.min=6")
    second = mtlcap.apply("apple.min=7")
    assert second.generation > first.generation
    assert mtlcap.query("apple").effective == 7


def test_check():
    check = mtlcap.check("apple>=7")
    assert check == (False, "apple", ">=7", "5", "expected apple>=7, found 5")
    assert not check and str(check) == check.message
    mtlcap.apply("auto")
    assert mtlcap.check("apple>=7") and mtlcap.check("apple>=7", mtlcap.devices()[0]).met
    with pytest.raises(mtlcap.ArgumentError):
        mtlcap.check("apple")
    with pytest.raises(mtlcap.CapabilityError):
        mtlcap.check("appel>=7")


def test_answers_of_each_kind():
    mtlcap.apply("auto,threadgroup_memory.max=32K")
    apple = mtlcap.query("apple")
    assert (apple.kind, apple.stock, apple.effective) == ("family", 5, 7)
    assert (apple.stock_text, apple.effective_text) == ("5", "7")
    assert apple.overridden and not apple.derived and apple.stock_known
    assert (apple.rule, apple.source) == ("auto: apple.min=7", "Metal")
    assert str(apple) == "apple: 7 (stock: 5; auto: apple.min=7)"
    assert mtlcap.query("metal").effective == 0 and mtlcap.query("metal").effective_text == "off"
    raytracing = mtlcap.query("raytracing")
    assert (raytracing.kind, raytracing.stock, raytracing.effective) == ("bool", False, True)
    assert raytracing.derived and not raytracing.overridden
    assert str(raytracing) == "raytracing: yes (stock: no; derived)"
    memory = mtlcap.query("maxThreadgroupMemoryLength")
    assert memory.capability == "threadgroup_memory"
    assert (memory.kind, memory.effective) == ("size", 32768)
    threads = mtlcap.query("maxThreadsPerThreadgroup")
    assert (threads.kind, threads.effective) == ("size3", (1024, 1024, 1024))
    name = mtlcap.query("name")
    assert (name.kind, name.effective) == ("text", "Apple Paravirtual device")
    assert str(name) == "name: Apple Paravirtual device"


def test_every_capability_can_be_asked():
    kinds = {"family": int, "count": int, "bool": bool, "size": int, "tier": int, "size3": tuple,
             "text": str}
    asked = 0
    for capability in mtlcap.capabilities():
        try:
            answer = mtlcap.query(capability.key)
        except mtlcap.UnsupportedError:
            continue
        asked += 1
        assert answer.kind == capability.kind
        assert type(answer.effective) is type(answer.stock) is kinds[answer.kind]
        assert answer.stock == answer.effective
    assert asked > 50


def test_every_kind_of_the_c_library_can_be_read():
    from mtlcap import answers, tables

    assert {number: name for number, (name, _) in answers._KINDS.items()} == tables.KINDS


def test_tables():
    capabilities = {c.key: c for c in mtlcap.capabilities()}
    assert len(capabilities) == len(mtlcap.capabilities())
    memory = capabilities["threadgroup_memory"]
    assert (memory.selector, memory.unit) == ("maxThreadgroupMemoryLength", "bytes")
    assert memory.can_lower and memory.can_raise and memory.hazard == "threadgroup-memory"
    assert not capabilities["name"].can_raise and not capabilities["name"].can_lower
    assert all(c.summary for c in capabilities.values())
    assert {"stock", "auto", "lume"} <= {p.name for p in mtlcap.profiles()}
    hazards = {h.name: h for h in mtlcap.hazards()}
    assert hazards["beyond-hardware"].refuses and not hazards["live-internals"].refuses
    assert {c.hazard for c in capabilities.values()} - {""} <= set(hazards)


def test_devices_and_machine():
    (device,) = mtlcap.devices()
    assert device.name == "Apple Paravirtual device" and device.class_name == "AppleParavirtDevice"
    assert device.paravirtual and not device.adopted and device.pointer
    machine = mtlcap.machine()
    assert machine.memory == 16 << 30 and machine.simulated and machine.chip_family == 7
    assert machine.virtual_machine is True and machine.apple_silicon is True


class LikePyObjC:
    def __init__(self, pointer):
        self.pointer = pointer

    def __c_void_p__(self):
        return ctypes.c_void_p(self.pointer)


@pytest.mark.parametrize("form", [
    lambda d: d, lambda d: d.pointer, lambda d: None, lambda d: ctypes.c_void_p(d.pointer),
    lambda d: LikePyObjC(d.pointer),
])
def test_ways_to_name_a_device(form):
    device = form(mtlcap.devices()[0])
    assert mtlcap.query("apple", device).effective == 5
    assert mtlcap.query("apple", device=device).stock == 5


@pytest.mark.parametrize("wrong", ["0", 1.5, True, object(), b"x"])
def test_what_is_no_device(wrong):
    with pytest.raises(TypeError, match="device must be"):
        mtlcap.query("apple", wrong)


def test_adopt():
    python("""
        import ctypes
        import mtlcap
        metal = ctypes.CDLL(None)
        metal.simmetal_create_device.restype = ctypes.c_void_p
        pointer = metal.simmetal_create_device(b"m3")
        mtlcap.apply("apple.max=4", allow="live-internals", late="ignore")
        mtlcap.adopt(pointer)
        mtlcap.adopt(pointer)
        assert mtlcap.query("apple", pointer).effective == 4
        adopted = mtlcap.devices()[-1]
        assert adopted.pointer == pointer and adopted.adopted and adopted.name == "Apple M3"
    """)


def test_explain_changes_nothing():
    explanation = mtlcap.explain("auto")
    assert explanation.error is None and explanation.findings == ()
    (rule,) = explanation.rules
    assert (rule.capability, rule.stock, rule.effective) == ("apple", "5", "7")
    refused = mtlcap.explain("lume")
    assert isinstance(refused.error, mtlcap.HazardError)
    assert refused.error.hazard == "beyond-hardware"
    assert [f.hazard for f in refused.findings] == ["beyond-hardware", "threadgroup-memory"]
    assert all(f.refuses and not f.allowed and f.message for f in refused.findings)
    allowed = mtlcap.explain("lume", allow=["beyond-hardware", "threadgroup-memory"])
    assert allowed.error is None and all(f.allowed for f in allowed.findings)
    assert not mtlcap.is_active()


@pytest.mark.parametrize("allow", ["beyond-hardware+threadgroup-memory",
                                   ["beyond-hardware", "threadgroup-memory"],
                                   iter(("threadgroup-memory", "beyond-hardware"))])
def test_allow(allow):
    report = mtlcap.apply("lume", allow=allow)
    assert set(report.allowed) == {"beyond-hardware", "threadgroup-memory"}
    assert mtlcap.query("threadgroup_memory").effective == 65536


def test_profile_from_file(work):
    (work / "vm.profile").write_text("# comment\napple.min=7\n")
    assert mtlcap.apply(f"@{work / 'vm.profile'}").changes[0].effective == "7"


def test_everything_public_is_documented():
    for name in mtlcap.__all__:
        value = getattr(mtlcap, name)
        if callable(value):
            assert inspect.getdoc(value), name
            assert value.__module__.startswith("mtlcap."), name


def test_version(source):
    header = (source / "include/mtlcap/mtlcap.h").read_text()
    major, minor, patch = mtlcap.__version__.split(".")
    assert f"MTLCAP_VERSION_MAJOR {major}\n" in header
    assert f"MTLCAP_VERSION_MINOR {minor}\n" in header
    assert f"MTLCAP_VERSION_PATCH {patch}\n" in header
