// The least that keeps a process: it starts it again when it ends. The program is the text of the first argument.
import { spawn } from 'node:child_process';

let child;
let isOver = false;
const start = () => {
  if (isOver) return;
  child = spawn(process.execPath, ['-e', process.argv[2]], { stdio: 'ignore' }).once('exit', start);
};
start();
process.on('disconnect', () => {
  isOver = true;
  child.kill('SIGKILL');
});
