import dev.mtlcap.*;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;

/** What Java does around a call; see calls.py. */
public class Calls {
    /** A logger that keeps the warnings that it is told, or throws. */
    static class Keeper implements System.Logger {
        final List<String> told = new ArrayList<>();
        Throwable failure;

        @Override
        public String getName() {
            return "test";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
            log(level, bundle, message);
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
            if (level.getSeverity() < Level.WARNING.getSeverity())
                return;
            if (failure instanceof Error)
                throw (Error) failure;
            if (failure != null)
                throw (RuntimeException) failure;
            told.add(level + " " + format + " thread=" + Thread.currentThread().getName()
                + " apple=" + apple());
        }

        List<String> take() {
            List<String> all = new ArrayList<>(told);
            told.clear();
            return all;
        }
    }

    static final Keeper keeper = new Keeper();

    static long apple() {
        return Mtlcap.query("apple").getEffective().getNumber();
    }

    static String bool(boolean value) {
        return value ? "True" : "False";
    }

    static void log() throws InterruptedException {
        Mtlcap.setLogger(keeper);
        Mtlcap.apply("auto");
        String first = keeper.take().get(0);
        System.out.printf("told: %s %s, apple %s%n", first.split(" ")[0].toLowerCase(),
            bool(first.contains("old-sdk-bf16")), first.split("apple=")[1]);
        Mtlcap.apply("auto", "old-sdk-bf16");
        System.out.println("told when allowed: " + keeper.take().size());
        // On the thread of the call.
        Thread thread = new Thread(() -> Mtlcap.apply("auto"), "caller");
        thread.start();
        thread.join();
        if (!keeper.take().toString().contains("thread=caller"))
            throw new AssertionError("not on the thread of the call");
        keeper.failure = new IllegalStateException("mine");
        Throwable[] reported = {null};
        Thread.currentThread().setUncaughtExceptionHandler((it, e) -> reported[0] = e);
        Mtlcap.apply("auto");
        System.out.printf("failing handler: reported %s, applied %s%n",
            bool(reported[0] == keeper.failure), bool(Mtlcap.isActive()));
        Mtlcap.setLogger(null);
        Mtlcap.apply("auto");
        System.out.println("told after null: " + keeper.take().size());
    }

    static void thrown() {
        Mtlcap.setLogger(keeper);
        keeper.failure = new AssertionError("mine");
        Thread.currentThread().setUncaughtExceptionHandler((it, e) -> {
            throw new IllegalStateException(e);
        });
        long inside;
        try (Scope scope = new Scope("auto")) {
            inside = apple();
        }
        System.out.println("left: " + bool(inside == 7 && Mtlcap.generation() == 0));
    }

    static void text() {
        String profile = "@\ud83d\ude00.mtlcap";
        System.out.printf("file: %s, apple %d%n",
            bool(Mtlcap.apply(profile).getProfile().equals(profile)), apple());
        try {
            Mtlcap.apply("auto\0");
        } catch (ArgumentException e) {
            System.out.println("zero: refused True");
        }
    }

    static void foreign() throws InterruptedException {
        Mtlcap.setLogger(keeper);
        Thread.sleep(300);
        System.out.printf("told: %d, in force %s%n", keeper.take().size(), bool(Mtlcap.generation() > 1));
    }

    static void late() {
        Mtlcap.setLogger(keeper);
        Mtlcap.apply("stock", "", Mtlcap.Late.ERROR);
        System.out.println("nothing to change: " + keeper.take().size());
        try {
            Mtlcap.apply("auto", "", Mtlcap.Late.ERROR);
            System.out.println("error: False");
            Mtlcap.restore();
        } catch (OrderException e) {
            System.out.printf("error: %s %s, status %d, in force %s%n",
                bool(e instanceof MtlcapException),
                bool(e.getMessage().matches(".*llama\\.cpp \\(.*libggml-metal.*")), e.getStatus(),
                bool(Mtlcap.isActive()));
        }
        Mtlcap.apply("auto");
        List<String> all = keeper.take();
        System.out.println("warned: " + all.size() + (all.isEmpty() ? "" : " "
            + bool(all.get(0).matches("WARNING .*mtlcap run -p 'auto' -- PROGRAM thread=main apple=5"))
            + ", apple " + apple()));
        new Scope("apple.max=4").close();
        System.out.println("scope warned: " + keeper.take().size());
        boolean refused = false;
        try {
            new Scope("auto", "", Mtlcap.Late.ERROR).close();
        } catch (OrderException e) {
            refused = true;
        }
        System.out.println("scope refused: " + bool(refused));
        Mtlcap.apply("auto", "", Mtlcap.Late.IGNORE);
        new Scope("auto", "", Mtlcap.Late.IGNORE).close();
        System.out.println("ignored: " + keeper.take().size());
    }

    public static void main(String[] arguments) throws InterruptedException {
        switch (arguments[0]) {
        case "log":
            log();
            break;
        case "thrown":
            thrown();
            break;
        case "text":
            text();
            break;
        case "foreign":
            foreign();
            break;
        default:
            late();
        }
    }
}
