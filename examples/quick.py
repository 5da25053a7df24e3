# The library in a few lines.
import mtlcap


def ask(capability):
    answer = mtlcap.query(capability)
    print(f"{capability}: {answer.effective} (stock: {answer.stock})")


mtlcap.apply("auto")  # before the first Metal client asks
ask("apple")

try:
    mtlcap.apply("apple.min=9")
except mtlcap.HazardError as error:  # what was in force stays
    print(f"refused: {error.hazard} ({error.status})")

mtlcap.restore()  # stock answers, for every caller
ask("apple")
