import { showFailure } from './steps/failure.mjs';
import { prepare } from './steps/prepare.mjs';
import { say } from './steps/say.mjs';
import { workspaceRoot } from './steps/workspace.mjs';

try {
  const failures = await prepare(workspaceRoot);
  failures.forEach(showFailure);
  process.exitCode = failures.length > 0 ? 1 : 0;
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
