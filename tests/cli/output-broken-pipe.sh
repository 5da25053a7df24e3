# The reader has gone before anything is written: that is in the exit code, and not said, since the
# reader has done it. A signal would give 141.
for arguments in version probe 'probe --json'; do
  # shellcheck disable=SC2086 # several arguments
  { sleep 0.3; code=0; "$MTLCAP" $arguments || code=$?; echo "$arguments: $code" >&3; } 3>>codes | :
done
cat codes
# The reader goes in the middle: either nothing was lost, or the exit code tells.
{ code=0; "$MTLCAP" help keys || code=$?; echo "$code" >code; } 2>message | head -1
case $(cat code) in
  0 | 74) cat message ;;
  *) echo "exit code $(cat code)" ;;
esac
