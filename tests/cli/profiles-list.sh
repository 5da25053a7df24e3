"$MTLCAP" profiles >default.txt
"$MTLCAP" profiles list | cmp - default.txt
sed 's/ .*//' default.txt
# A name, rules and a summary in each line, aligned.
awk 'NR == 1 {rules = index($0, "rules"); summary = index($0, "summary")}
     {if (substr($0, rules - 1, 1) != " " || substr($0, summary - 1, 1) != " " ||
          substr($0, summary, 1) == " " || substr($0, summary, 1) == "") print "line " NR ": " $0}' \
  default.txt
