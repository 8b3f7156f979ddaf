import type { Completed, Values } from './completed.js';
import { quotedWord } from './quoted-word.js';
import { valueCases } from './value-cases.js';

/** The script that completes argus in bash, also in the one that macOS has. */
export function bashScript(completed: Completed): string {
  const { commands, options } = completed;
  const { pairs, valued, afterOptions, asArguments } = valueCases(completed, offer);
  const flags = (names: readonly { flag: string }[]) => names.map(({ flag }) => quotedWord(flag)).join(' ');
  return `# Completes argus in bash. In ~/.bashrc: source <(argus completion bash)

_argus() {
  local raw='' last='' word cur='' flag='' cmd='' dashes='' prefix='' many='' merged skip i
  local given=0 count=0 after=0
  local -a line=() where=()
  COMPREPLY=()

  # Bash parts words at = and :, argus does not.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    raw=\${COMP_WORDS[i]}
    if [[ $count -gt 0 && ( $raw =~ ^[=:]+$ || $last =~ ^[=:]+$ ) ]]; then
      line[count - 1]+=$raw
    else
      line[count]=$raw
      count=$((count + 1))
    fi
    last=$raw
  done
  merged=\${line[count - 1]}
  cur=$merged
  skip=\${merged%"$raw"}
  [[ $raw =~ ^[=:]+$ ]] && skip=$merged

  for ((i = 0; i < count - 1; i++)); do
    word=\${line[i]}
    if [[ -n $dashes ]]; then
      after=$((after + 1))
    elif [[ -n $flag ]]; then
      case $flag in --project | --config) where+=("$flag" "$word") ;; esac
      flag=''
    elif [[ $word == -- ]]; then
      dashes=yes
    elif [[ $word == -* ]]; then
      case $word in --project=* | --config=*) where+=("$word") ;; esac
      case "$cmd $word" in
        ${valued}) flag=$word ;;
      esac
    elif [[ -z $cmd ]]; then
      cmd=$word
    else
      case "$cmd $word $given" in
        ${pairs}) cmd=$cmd-$word ;;
        *) given=$((given + 1)) ;;
      esac
    fi
  done

  if [[ -n $dashes ]]; then
    if [[ $after -eq 0 ]]; then _argus_files -c; else _argus_files -f; fi
    return
  fi
  if [[ -z $flag && $cur == --*=* ]]; then
    flag=\${cur%%=*}
    prefix=$flag=
    cur=\${cur#*=}
  fi
  if [[ -n $flag ]]; then
    case "$cmd $flag" in
      ${afterOptions.join('\n      ')}
    esac
  elif [[ $cur == -* ]]; then
    _argus_offer ${flags(options)}
    case $cmd in
      ${commands
        .filter((command) => command.options.length > 0)
        .map(
          (command) =>
            `${command.names.map(quotedWord).join(' | ')}) _argus_offer ${flags(command.options)} ;;`,
        )
        .join('\n      ')}
    esac
  elif [[ -z $cmd ]]; then
    _argus_offer ${offered(commands)}
  else
    case "$cmd $given" in
      ${asArguments.join('\n      ')}
    esac
  fi
}

# Offers those of the words that begin as what is there; of a list only its last member counts.
_argus_offer() {
  local name quoted full
  if [[ -n $many && $cur == *,* ]]; then
    prefix+=\${cur%,*},
    cur=\${cur##*,}
  fi
  for name in "$@"; do
    [[ $name == "$cur"* ]] || continue
    printf -v quoted %q "$name"
    full=$prefix$quoted
    COMPREPLY+=("\${full#"$skip"}")
  done
}

# Offers names that only the project knows. Whatever goes wrong, there are none then.
_argus_names() {
  local name program=\${COMP_WORDS[0]}
  local -a names=()
  while IFS= read -r name; do
    names+=("$name")
  done < <("\${program/#\\~/$HOME}" completion --words "$1" \${where[@]+"\${where[@]}"} 2>/dev/null </dev/null)
  _argus_offer \${names[@]+"\${names[@]}"}
}

_argus_files() {
  local name
  compopt -o filenames 2>/dev/null
  while IFS= read -r name; do
    COMPREPLY+=("$name")
  done < <(compgen "$1" -- "$cur")
}

complete -F _argus argus
`;
}

function offered(commands: Completed['commands']): string {
  return commands.flatMap(({ names, isSilent }) => (isSilent ? [] : [quotedWord(names[0])])).join(' ');
}

function offer(values: Values, many: boolean): string {
  const before = many ? 'many=yes; ' : '';
  switch (values.kind) {
    case 'words':
      return `${before}_argus_offer ${values.words.map(quotedWord).join(' ')}`;
    case 'names':
      return `${before}_argus_names ${values.of}`;
    case 'files':
      return '_argus_files -f';
    case 'folders':
      return '_argus_files -d';
    case 'anything':
      return ':';
  }
}
