// The least that can be a command line on the library that most of them use: a name, and no command.
import { Command } from 'commander';

new Command('empty').version('1.0.0').parse();
