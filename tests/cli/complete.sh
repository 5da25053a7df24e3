# What the shells' completions ask: tools/complete.h.
asked() {
  echo "== $*"
  "$MTLCAP" --complete "$@"
}
asked ''
asked r
asked --
asked nonsense ''
asked run --t
asked run -p
asked run -p like-m
asked run -plum
asked run --profile=stock,lum
asked run -p auto,apple
asked run -p auto,@
asked run --allow metal+mac+be
asked run --require ray_
asked run --log ''
asked run --log info:/tmp/x
asked run --receipt ''
asked run ''
asked run -- ''
asked run --strict -- prog --st
asked env --launchd org.example ''
asked env --format ''
asked doctor --machine sip=on,
asked doctor --children inherit prog ''
asked probe --diff stock git
asked probe --nonsense --js
asked profiles ''
asked profiles show lum
asked profiles capture lum
asked profiles capture --dev
asked help e
asked selftest --check ''
asked explain llama.cpp --require ma
asked version ''
asked version -- ''
asked

# Every place is known, and every option is explained.
"$MTLCAP" --complete '' | cut -f 1 | while read -r command; do
  "$MTLCAP" --complete "$command" ''
  "$MTLCAP" --complete "$command" - | tee options.txt | grep '	$' | sed "s/^/$command: not explained: /"
  cut -f 1 options.txt | while read -r option; do
    "$MTLCAP" --complete "$command" "$option" ''
    "$MTLCAP" --complete "$command" "$option" x ''
  done
done >all.txt
echo "$(grep -cE '^(:unknown|[a-z]+: not explained)' all.txt) places unknown or not explained"
grep -E '^(:unknown|[a-z]+: not explained)' all.txt
true
