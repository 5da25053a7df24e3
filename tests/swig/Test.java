import dev.mtlcap.*;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The binding for Java, on the simulated Metal. With the argument no-metal: without it. */
public class Test {
    static void equal(Object expected, Object found) {
        if (!Objects.equals(expected, found))
            throw new AssertionError("expected " + expected + ", found " + found);
    }

    static <E extends RuntimeException> E fails(Class<E> type, String text, Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            if (!type.isInstance(e) || !String.valueOf(e.getMessage()).contains(text))
                throw new AssertionError("not " + type + " with " + text, e);
            return type.cast(e);
        }
        throw new AssertionError("no " + type);
    }

    static long apple() {
        return Mtlcap.query("apple").getEffective().getNumber();
    }

    public static void main(String[] arguments) {
        if (arguments.length == 1 && arguments[0].equals("no-metal"))
            withoutMetal();
        else
            withMetal();
        System.out.println("passed");
    }

    static void withoutMetal() {
        equal(-3, fails(UnsupportedException.class, "", () -> Mtlcap.apply()).getStatus());
        fails(UnsupportedException.class, "", () -> Mtlcap.query("apple"));
        equal(true, Mtlcap.capabilities().size() > 40);
        Mtlcap.restore();
        equal(false, Mtlcap.isActive());
    }

    static void withMetal() {
        // apply, query
        Report report = Mtlcap.apply("auto");
        equal("auto", report.getProfile());
        equal("apple: 5 -> 7 (auto: apple.min=7)", report.getChanges().get(0).toString());
        equal(Mtlcap.generation(), report.getGeneration());
        equal(true, Mtlcap.isActive());
        Answer answer = Mtlcap.query("apple");
        equal(List.of(7L, 5L, "family", "7", "auto: apple.min=7", "Metal", true, false),
            List.of(answer.getEffective().getNumber(), answer.getStock().getNumber(),
                answer.getKind(), answer.getEffectiveText(), answer.getRule(), answer.getSource(),
                answer.isOverridden(), answer.isDerived()));
        equal("apple: 7 (stock: 5; auto: apple.min=7)", answer.toString());
        equal(true, Mtlcap.query("raytracing").getEffective().isYes());
        equal(32768L, Mtlcap.query("threadgroup_memory").getEffective().getNumber());
        equal(1024L, Mtlcap.query("maxThreadsPerThreadgroup").getEffective().getNumber(2));
        equal("Apple Paravirtual device", Mtlcap.query("name").getEffective().getText());

        // check
        Check check = Mtlcap.check("apple>=8", Mtlcap.devices().get(0));
        equal(List.of(false, "apple", ">=8", "7", "expected apple>=8, found 7"),
            List.of(check.isMet(), check.getCapability(), check.getExpected(), check.getFound(),
                check.getMessage()));
        equal(check.getMessage(), check.toString());
        equal(true, Mtlcap.check("apple>=7").isMet());
        fails(ArgumentException.class, "", () -> Mtlcap.check("apple"));

        // refuse, with the message; what was in force stays
        HazardException hazard = fails(
            HazardException.class, "the silicon is older", () -> Mtlcap.apply("apple.min=9"));
        equal(List.of(-6, "beyond-hardware"), List.of(hazard.getStatus(), hazard.getHazard()));
        MtlcapException malformed = fails(ProfileException.class, "did you mean 'apple'?",
            () -> Mtlcap.apply("auto,appel.min=7"));
        equal(List.of(-5, "appel.min=7", 6, 0), List.of(malformed.getStatus(), malformed.getItem(),
            malformed.getColumn(), malformed.getLine()));
        fails(ProfileFileException.class, "/nowhere", () -> Mtlcap.apply("@/nowhere"));
        fails(CapabilityException.class, "nonsense", () -> Mtlcap.query("nonsense"));
        fails(NullPointerException.class, "", () -> Mtlcap.query(null));
        equal(report.getGeneration(), Mtlcap.generation());
        equal(7L, apple());

        // with consent
        equal("beyond-hardware", Mtlcap.apply("apple.min=9", "beyond-hardware").getAllowed());
        List<String> allowed = new ArrayList<>();
        for (Finding it : Mtlcap.apply("lume", "beyond-hardware+threadgroup-memory").getFindings())
            allowed.add(it.getHazard() + it.isAllowed());
        equal(true, allowed.contains("threadgroup-memorytrue"));

        equal("beyond-hardware",
            Mtlcap.apply("apple.min=9", List.of("beyond-hardware")).getAllowed());
        equal(0, Mtlcap.explain("lume", List.of("beyond-hardware", "threadgroup-memory")).getStatus());
        try (Scope scope = new Scope("apple.min=9", List.of("beyond-hardware"))) {
            equal(9L, apple());
        }
        fails(NullPointerException.class, "profile is null", () -> Mtlcap.apply(null));
        fails(NullPointerException.class, "allow is null; no consent is an empty text",
            () -> Mtlcap.apply("auto", (String) null));
        fails(NullPointerException.class, "late is null", () -> Mtlcap.apply("auto", "", null));
        fails(NullPointerException.class, "late is null", () -> new Scope("auto", "", null));
        fails(CapabilityException.class, "\ud83d\ude00", () -> Mtlcap.query("\ud83d\ude00"));
        fails(NullPointerException.class, "allow is null", () -> new Scope("auto", (List<String>) null));

        // values, and what is for people
        Value nine = Mtlcap.query("apple").getEffective();
        equal(nine, Mtlcap.query("apple").getEffective());
        equal(nine.hashCode(), Mtlcap.query("apple").getEffective().hashCode());
        equal(false, nine.equals(Mtlcap.query("apple").getStock()) || nine.equals(9L));
        for (Object it : List.of(Mtlcap.report(), Mtlcap.explain("apple.min=9"), Mtlcap.machine(),
                 Mtlcap.devices().get(0), Mtlcap.capabilities().get(0), Mtlcap.profiles().get(0),
                 Mtlcap.hazards().get(0), Mtlcap.explain("apple.min=9").getFindings().get(0)))
            equal(false, it.toString().startsWith("dev.mtlcap."));
        equal("Apple Paravirtual device (AppleParavirtDevice)", Mtlcap.devices().get(0).toString());

        // restore
        Mtlcap.restore();
        equal(List.of(5L, false, 0L),
            List.of(apple(), Mtlcap.isActive(), Mtlcap.report().getGeneration()));

        // a scope: what was before comes back, also when its block throws
        try (Scope outer = new Scope("apple.max=4")) {
            try (Scope inner = new Scope("auto")) {
                equal(7L, apple());
                throw new IllegalStateException();
            } catch (IllegalStateException e) {
                equal(4L, apple());
            }
            outer.close(); // and again at its end
            equal(5L, apple());
        }
        equal(5L, apple());
        fails(HazardException.class, "", () -> new Scope("apple.min=9"));

        // explain, devices, tables
        Explanation explanation = Mtlcap.explain("apple.min=9");
        equal(List.of(-6, "beyond-hardware", false), List.of(explanation.getStatus(),
            explanation.getFindings().get(0).getHazard(), Mtlcap.isActive()));
        Device device = Mtlcap.devices().get(0);
        equal(true, device.isParavirtual());
        equal(5L, Mtlcap.query("apple", device).getEffective().getNumber());
        equal(5L, Mtlcap.query("apple", device.getPointer()).getEffective().getNumber());
        Mtlcap.adopt(device.getPointer());
        fails(ArgumentException.class, "", () -> Mtlcap.adopt(0));
        equal(true, Mtlcap.machine().getVirtualMachine());
        equal("stock", Mtlcap.profiles().get(0).getName());

        // nothing that a caller holds dies with what it came from
        for (int i = 0; i < 20; i++) {
            List<Change> rules = Mtlcap.explain("auto").getRules();
            System.gc();
            equal("apple: 5 -> 7 (auto: apple.min=7)", rules.get(0).toString());
        }
    }
}
