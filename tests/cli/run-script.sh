# A shell's script: what it starts has the library if children inherit it.
. "$CASES/common"
export TMPDIR="$PWD/temporary"
mkdir temporary
cp "$CLIENT" client
printf '#!/bin/sh\n./client answer\n' >script
chmod +x script
started -p auto --children inherit --strict -- ./script
started -p auto -- ./script
started -p auto --strict -- ./script
echo "-- what it starts is named"
printf '#!/bin/sh\nexec 2>&1\nexec ./client answer # and no more\n' >says
printf '#!/bin/sh\nexec ./client answer\nexec -a name ./client\nexec \\\n./client answer\n' >cannot-be-told
printf '#!/bin/sh\nexec ./client answer\nexec ./client "answer;"\n' >quotes
printf '#!/bin/sh\nexec ./client answer\nexec 2>&1\nexec\n' >redirects
printf '#!/bin/sh\nexec ./mtlcap run -- ./client answer\n' >own
chmod +x quotes redirects says cannot-be-told own
ln -s "$MTLCAP" mtlcap
started -p auto --strict -- ./says
started -p auto --strict -- ./cannot-be-told
started -p auto --strict -- ./quotes
started -p auto --strict -- ./redirects
started -p auto --strict -- ./own
sed 's|^exec \./client|exec ./mtlcap run -p auto -- ./client|' says >wrapped
chmod +x wrapped
./wrapped
for option in --strict "--require apple>=7"; do
  transcript env --launchd org.example.test $option -- ./says | sed "s|$PWD/|HERE/|g"
done
left
