# The program's exit code, or its signal, is that of mtlcap run.
. "$CASES/common"
export TMPDIR="$PWD/temporary"
mkdir temporary
export ASAN_OPTIONS=handle_segv=0 TSAN_OPTIONS="${TSAN_OPTIONS-} handle_segv=0" # in builds with them
cp "$CLIENT" client
started -- ./client exit 0
started -- ./client exit 3
started -- ./client exit 255
started ./client answer -h --strict # what follows the program is the program's
for number in 1 9 11 15; do # HUP KILL SEGV TERM
  started -- ./client raise $number | grep -v '^[A-Z][a-z]*\( fault\)\?\( (core dumped)\)\?$' # of the shell
done
echo "-- descriptors"
for how in '<&-' '>&-' '>&- <&- 5<./client' '2>&-'; do # as without mtlcap
  eval "./client descriptors $how" 2>direct.txt
  eval "\"\$MTLCAP\" run -- ./client descriptors $how" 2>through.txt
  [ "$(head -1 direct.txt)" = "$(head -1 through.txt)" ] || cat direct.txt through.txt
  grep -c 'are open' direct.txt
done
# By the signal itself, which only the parent can tell from an exit code.
"$PYTHON" - "$MTLCAP" <<'END'
import subprocess, sys
print("parent sees", subprocess.run([sys.argv[1], "run", "./client", "raise", "15"],
                                    stderr=subprocess.DEVNULL).returncode)
END
left
