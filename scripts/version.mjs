import { runTool } from './steps/command.mjs';
import { say } from './steps/say.mjs';
import { writeServerVersion } from './steps/server-version.mjs';
import { workspaceRoot } from './steps/workspace.mjs';

// Makes the next versions of the packages and their changelogs from the changesets.
try {
  const { code } = await runTool(workspaceRoot, 'changeset', ['version'], { show: true });
  if (code !== 0) throw new Error('the versions could not be made');
  writeServerVersion(workspaceRoot);
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
