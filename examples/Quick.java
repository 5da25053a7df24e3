// The library in a few lines.
import dev.mtlcap.Answer;
import dev.mtlcap.HazardException;
import dev.mtlcap.Mtlcap;

public class Quick {
    static void ask(String capability) {
        Answer answer = Mtlcap.query(capability);
        System.out.println(
            capability + ": " + answer.getEffective() + " (stock: " + answer.getStock() + ")");
    }

    public static void main(String[] arguments) {
        Mtlcap.apply("auto"); // before the first Metal client asks
        ask("apple");

        try {
            Mtlcap.apply("apple.min=9");
        } catch (HazardException error) { // what was in force stays
            System.out.println("refused: " + error.getHazard() + " (" + error.getStatus() + ")");
        }

        Mtlcap.restore(); // stock answers, for every caller
        ask("apple");
    }
}
