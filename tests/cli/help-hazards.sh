# Each hazard: its name, and in one line each what it is about.
"$MTLCAP" help hazards >hazards.txt
sed -n 's/^\([a-z0-9-]*\) (\(refused\|warned about\))$/\1/p' hazards.txt
for label in when breaks 'seen by'; do
  echo "$label: $(grep -c "^  $label: *[^ ]" hazards.txt)"
done
