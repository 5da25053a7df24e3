import dev.mtlcap.*;
import java.lang.reflect.Method;

/** The tables of the binding for Java, as tables.cpp prints those of the C library. */
public class Tables {
    static int bit(boolean value) {
        return value ? 1 : 0;
    }

    static Object get(Object row, String name) throws ReflectiveOperationException {
        Method method = row.getClass().getDeclaredMethod(name);
        method.setAccessible(true);
        return method.invoke(row);
    }

    public static void main(String[] arguments) throws ReflectiveOperationException {
        Mtlcap.STATUSES.forEach((name, number) -> System.out.printf("status %s %d%n", name, number));
        Method rows = Mtlcap.class.getDeclaredMethod("errorRows");
        rows.setAccessible(true);
        for (Object row : (Iterable<?>) rows.invoke(null)) {
            String name = (String) get(row, "getName");
            Class.forName("dev.mtlcap." + name.replaceAll("Error$", "Exception"))
                .asSubclass(MtlcapException.class);
            System.out.printf("error %d %s%n", get(row, "getStatus"), name);
        }
        for (Capability c : Mtlcap.capabilities())
            System.out.printf("capability %s %s %s %s %d %d %s%n", c.getKey(), c.getSelector(),
                c.getKind(), c.getUnit(), bit(c.canLower()), bit(c.canRaise()), c.getHazard());
        for (Profile p : Mtlcap.profiles())
            System.out.printf("profile %s %s%n", p.getName(), p.getRules());
        for (Hazard h : Mtlcap.hazards())
            System.out.printf("hazard %s %d %s%n", h.getName(), bit(h.isRefusing()), h.getWhen());
        System.out.printf("version %s%n", Mtlcap.version());
    }
}
