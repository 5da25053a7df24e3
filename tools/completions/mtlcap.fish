# Completion of mtlcap for fish. mtlcap itself says what can stand where: tools/complete.h.

function __mtlcap_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l plain (string replace -ra '[\'"\\\\]' '' -- $word)
    for line in ($words[1] --complete $words[2..-1] "$plain" 2>/dev/null)
        switch $line
            case ':program *'
                set -l from (string replace ':program ' '' -- $line)
                set -l program
                if test $from -le (count $words)
                    set program (string escape -- $words[$from..-1])
                end
                complete -C (string join ' ' -- $program "$word")
            case ':files *'
                set -l done (string sub -l (string replace ':files ' '' -- $line) -- "$plain")
                set -l typed (string sub -s (math (string length -- "$done") + 1) -- "$plain")
                for file in (__fish_complete_path $typed)
                    echo $done$file
                end
            case ':*'
            case '*'
                echo $line
        end
    end
end

complete -c mtlcap -f -a '(__mtlcap_complete)'
