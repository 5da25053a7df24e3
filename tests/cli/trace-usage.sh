. "$CASES/common"
"$MADE_TRACE" >made.trace
transcript trace
transcript trace --
transcript trace --json -- true
transcript trace --from
transcript trace --from made.trace -- true
transcript trace --from made.trace -p auto
transcript trace --from made.trace --live
transcript trace --from made.trace --from made.trace
transcript trace -o a -o b -- true
transcript trace -o -- true
transcript trace -p nonsense -- true
transcript trace --evnts -- true
transcript trace -- ./nothing
