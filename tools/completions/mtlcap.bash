# Completion of mtlcap for bash, from 3.2 on, with bash-completion and without. mtlcap itself says what
# can stand where: tools/complete.h.

# The words up to the cursor, and the index of each in COMP_WORDS: bash splits words at = and : too.
__mtlcap_words() {
  local rest=${COMP_LINE:0:COMP_POINT} i behind
  words=() indices=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    behind=${rest#"${rest%%[![:space:]]*}"}
    if ((i == COMP_CWORD)) && [[ $behind != "${COMP_WORDS[i]}"* ]]; then
      word=$behind # the cursor is in it
    else
      word=${COMP_WORDS[i]}
    fi
    if ((i > 0)) && [[ $behind == "$rest" && -n $rest ]]; then
      words[${#words[@]} - 1]+=$word
    else
      words+=("$word") indices+=("$i")
    fi
    rest=${behind#"$word"}
  done
}

_mtlcap() { # COMMAND WORD: WORD is what readline replaces, the end of the word perhaps
  local words indices word answer last before
  __mtlcap_words
  COMPREPLY=()
  last=${words[${#words[@]} - 1]}
  before=${last%"$2"}
  before=${before//[\\\'\"]/}
  words=("${words[@]//[\\\'\"]/}")
  answer=$("${1/#\~/$HOME}" --complete "${words[@]:1}" 2>/dev/null)
  while IFS=$'\t' read -r word _; do
    case $word in
      '') ;;
      :program\ *) __mtlcap_program "${word#:program }" "$2" ;;
      :files\ *) __mtlcap_files "${word#:files }" "$2" ;;
      :*) ;;
      *) __mtlcap_offer "${word:${#before}}" ;;
    esac
  done <<<"$answer"
}

__mtlcap_offer() { # CANDIDATE
  local word=$1
  if [[ -z $word ]]; then
    return
  fi
  if [[ $last != [\'\"]* ]]; then # readline closes what is in quotes
    word=${word//</\\<} word=${word//>/\\>} word=${word//!/\\!}
    if [[ $word != *= ]]; then
      word+=' '
    fi
  fi
  COMPREPLY+=("$word")
}

# The name of a file stands behind the first NUMBER bytes of the word.
__mtlcap_files() { # NUMBER WORD
  local plain=${words[${#words[@]} - 1]} kept
  kept=${plain:0:$1}
  kept=${kept:${#before}}
  if [[ -n $kept ]] || ! compopt -o default +o nospace 2>/dev/null; then
    while IFS= read -r word; do
      COMPREPLY+=("$kept${word// /\\ }")
    done <<<"$(compgen -f -- "${plain:$1}")"
  fi
}

# From word NUMBER on, mtlcap being 1, it is the command line of another program.
__mtlcap_program() { # NUMBER WORD
  compopt +o nospace 2>/dev/null
  if declare -F _comp_command_offset >/dev/null; then
    _comp_command_offset "${indices[$1 - 1]}"
  elif declare -F _command_offset >/dev/null; then
    _command_offset "${indices[$1 - 1]}"
  elif (($1 == ${#words[@]})); then
    COMPREPLY=($(compgen -c -- "$2"))
  else
    __mtlcap_files 0 "$2"
  fi
}

complete -o nospace -F _mtlcap mtlcap
