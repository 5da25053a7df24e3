# A program for a Mac: what is known to keep the library out of it is said before it is started.
. "$CASES/common"
export TMPDIR="$PWD/temporary"
mkdir temporary
"$PYTHON" -B - "$CASES/../macho_reader" <<'END'
import sys
sys.path.append(sys.argv[1])
from make_macho import RUNTIME, sign, thin
for name, options in (("plain", {}), ("hardened", {"flags": RUNTIME})):
    with open(name, "wb") as file:
        file.write(sign(thin(), **options))
END
chmod +x plain hardened
started -p auto -- ./plain
started -p auto -- ./hardened
started -p auto --strict -- ./hardened
started -p auto --require 'apple>=7' -- ./hardened
transcript trace -p auto -- ./plain
echo "-- a script of a shell that drops the variable"
cp hardened bash
printf '#!%s/bash\nexec ./client\n' "$PWD" >script
chmod +x script
started -p auto --strict -- ./script
started -p auto --children inherit --strict -- ./script
transcript env --launchd org.example.test -- ./hardened |
  grep -a '^mtlcap: ' | sed "s|$PWD/|HERE/|"
left
