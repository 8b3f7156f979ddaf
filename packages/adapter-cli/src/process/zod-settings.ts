import { config } from 'zod';

// Compiling a schema pays off after some hundred uses; a command uses each schema once.
config({ jitless: true });
