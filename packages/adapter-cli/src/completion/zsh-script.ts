import type { Completed, CompletedOption, Values } from './completed.js';
import { quotedWord } from './quoted-word.js';
import { valueCases } from './value-cases.js';

/** The script that completes argus in zsh: to be sourced after compinit, or kept as `_argus` where functions are found. */
export function zshScript(completed: Completed): string {
  const { commands, options } = completed;
  const { pairs, valued, afterOptions, asArguments } = valueCases(completed, offer);
  return `#compdef argus
# Completes argus in zsh. In ~/.zshrc, after compinit: source <(argus completion zsh)

_argus() {
  local word flag='' cmd='' program=\${words[1]/#\\~/$HOME}
  local -i given=0 i
  local -a where offered

  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    if [[ -n $flag ]]; then
      case $flag in --project | --config) where+=("$flag" "$word") ;; esac
      flag=''
    elif [[ $word == -- ]]; then
      # What follows is a command of its own.
      words[1,i]=()
      CURRENT=$((CURRENT - i))
      _normal
      return
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
        *) given+=1 ;;
      esac
    fi
  done

  if [[ -z $flag && $PREFIX == --*=* ]]; then
    flag=\${PREFIX%%=*}
    compset -P '*='
  fi
  if [[ -n $flag ]]; then
    case "$cmd $flag" in
      ${afterOptions.join('\n      ')}
    esac
  elif [[ $PREFIX == -* ]]; then
    offered=(${described(options)})
    case $cmd in
      ${commands
        .filter((command) => command.options.length > 0)
        .map(
          (command) =>
            `${command.names.map(quotedWord).join(' | ')}) offered+=(${described(command.options)}) ;;`,
        )
        .join('\n      ')}
    esac
    _describe -o option offered
  elif [[ -z $cmd ]]; then
    offered=(${offeredCommands(commands)})
    _describe command offered
  else
    case "$cmd $given" in
      ${asArguments.join('\n      ')}
    esac
  fi
}

# Names that only the project knows. Whatever goes wrong, there are none then.
_argus_names() {
  local -a names
  names=("\${(@f)$("$program" completion --words "$1" "\${where[@]}" 2>/dev/null </dev/null)}")
  compadd -a -- names
}

if [[ \${funcstack[1]} == _argus ]]; then
  _argus "$@"
else
  compdef _argus argus
fi
`;
}

function offeredCommands(commands: Completed['commands']): string {
  const shown = commands.filter(({ isSilent }) => !isSilent);
  return shown.map(({ names, summary }) => entry(names[0], summary)).join(' ');
}

function described(options: readonly CompletedOption[]): string {
  return options.map(({ flag, description }) => entry(flag, description)).join(' ');
}

/** A word and what it is for, parted by a colon. */
function entry(word: string, description: string): string {
  const name = word.replace(/[\\:]/g, '\\$&');
  return quotedWord(description === '' ? name : `${name}:${description.replaceAll('\\', '\\\\')}`);
}

function offer(values: Values, many: boolean): string {
  // Of a list only its last member counts.
  const before = many ? "compset -P '*,'; " : '';
  switch (values.kind) {
    case 'words':
      return `${before}compadd -- ${values.words.map(quotedWord).join(' ')}`;
    case 'names':
      return `${before}_argus_names ${values.of}`;
    case 'files':
      return '_files';
    case 'folders':
      return '_files -/';
    case 'anything':
      return ':';
  }
}
