import type { Completed, CompletedOption, Values } from './completed.js';
import { fishWord } from './quoted-word.js';

/** The script that completes argus in fish. */
export function fishScript({ commands, options, pairs }: Completed): string {
  const valued = options.filter(({ values }) => values).map(({ flag }) => fishWord(flag));
  return `# Completes argus in fish. In ~/.config/fish/config.fish: argus completion fish | source

# The command on the line, if there is one already. Two words can be one command.
function __argus_command
    set -l words (commandline -opc)
    set -l isvalue no
    set -l command
    for word in $words[2..-1]
        if test $isvalue = yes
            set isvalue no
            continue
        end
        switch $word
            case ${valued.join(' ')}
                set isvalue yes
            case '-*'
            case '*'
                if test -z "$command"
                    set command $word
                    continue
                end
                contains -- "$command $word" ${pairs.map(fishWord).join(' ')}
                and set command $command-$word
                break
        end
    end
    test -n "$command"
    and echo $command
end

function __argus_is
    not contains -- -- (commandline -opc)
    and set -l command (__argus_command)
    and contains -- $command $argv
end

# Names that only the project knows. Whatever goes wrong, there are none then.
function __argus_names
    set -l words (commandline -opc)
    set -l where
    set -l flag
    for word in $words[2..-1]
        switch $word
            case '--project=*' '--config=*'
                set -a where $word
            case '*'
                contains -- "$flag" --project --config
                and set -a where $flag $word
        end
        set flag $word
    end
    command $words[1] completion --words $argv[1] $where 2>/dev/null </dev/null
end

complete -c argus -e
complete -c argus -f
complete -c argus -n 'contains -- -- (commandline -opc)' -F
${[
  ...commands
    .filter(({ isSilent }) => !isSilent)
    .map(({ names, summary }) => `-n 'not __argus_command' -a ${fishWord(names[0])} -d ${fishWord(summary)}`),
  ...options.map((option) => `-n 'not contains -- -- (commandline -opc)' ${optionPart(option)}`),
  ...commands.flatMap(({ names, options: own, argument, formats: words }) => {
    const condition = `-n ${fishWord(`__argus_is ${names.map(fishWord).join(' ')}`)}`;
    const values = argument && argumentPart(argument.values);
    return [
      ...own.map((option) => `${condition} ${optionPart(option)}`),
      ...(words ? [`${condition} -l format -x -a ${fishWord(words.map(fishWord).join(' '))}`] : []),
      ...(values === undefined ? [] : [`${condition} ${values}`]),
    ];
  }),
]
  .map((rest) => `complete -c argus ${rest}`)
  .join('\n')}
`;
}

function optionPart({ flag, description, values, many }: CompletedOption): string {
  const name = `-l ${fishWord(flag.replace(/^--/, ''))} -d ${fishWord(description)}`;
  switch (values?.kind) {
    case undefined:
      return name;
    case 'files':
      return `${name} -r -F`;
    case 'folders':
      return `${name} -x -a '(__fish_complete_directories (commandline -ct))'`;
    case 'words': {
      const words = values.words.map(fishWord).join(' ');
      const listed = `(__fish_complete_list , ${fishWord(`printf '%s\\n' ${words}`)})`;
      return `${name} -x -a ${fishWord(many ? listed : words)}`;
    }
    case 'names':
      return many
        ? `${name} -x -a ${fishWord(`(__fish_complete_list , '__argus_names ${values.of}')`)}`
        : `${name} -x -a '(__argus_names ${values.of})'`;
    case 'anything':
      return `${name} -x`;
  }
}

function argumentPart(values: Values): string | undefined {
  if (values.kind === 'words') return `-a ${fishWord(values.words.map(fishWord).join(' '))}`;
  return values.kind === 'names' ? `-a '(__argus_names ${values.of})'` : undefined;
}
