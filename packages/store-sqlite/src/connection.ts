import type Libsql from 'libsql';
import { type Column, numberOf } from './column.js';
import { damage, isDamage } from './store-error.js';

/** What loading libsql gives. */
export type DatabaseConstructor = typeof Libsql;

/** What is put into a statement. */
export type Parameter = string | number;

/** An open database with its prepared statements. */
export class Connection {
  readonly #database: Libsql.Database;
  readonly #statements = new Map<string, Libsql.Statement>();
  readonly #timeout: number;

  /** `timeout` is how long the database was told to wait for others. */
  constructor(database: Libsql.Database, timeout: number) {
    this.#database = database;
    this.#timeout = timeout;
  }

  /** The first row of a query. */
  row(sql: string, ...parameters: Parameter[]): Column[] | undefined {
    return this.#statement(sql).get(...parameters) as Column[] | undefined;
  }

  /** All rows of a query. */
  rows(sql: string, ...parameters: Parameter[]): Column[][] {
    return this.#statement(sql).all(...parameters) as Column[][];
  }

  /** Carries out a statement that gives no rows. */
  run(sql: string, ...parameters: Parameter[]): void {
    this.#statement(sql).run(...parameters);
  }

  /** Carries out statements that take no parameters. Unlike a prepared one, such a statement leaves nothing behind. */
  execute(sql: string): void {
    this.#database.exec(sql);
  }

  /** Does all of the work or none of it, while nobody else writes. */
  immediately<Result>(work: () => Result): Result {
    // A prepared BEGIN that fails because the database is busy would stay in progress and block every later COMMIT.
    this.execute('BEGIN IMMEDIATE');
    return this.#finish(work);
  }

  /** The same for work that can be left undone: it is when someone else writes at this moment, or nobody may. */
  immediatelyOrNever(work: () => void): void {
    this.execute('PRAGMA busy_timeout = 0');
    try {
      this.execute('BEGIN IMMEDIATE');
    } catch (thrown) {
      if (isDamage(thrown)) throw thrown;
      return;
    } finally {
      this.execute(`PRAGMA busy_timeout = ${this.#timeout}`);
    }
    this.#finish(work);
  }

  /** The version of the schema, 0 for a database that nothing was ever stored in. */
  schemaVersion(): number {
    const version = numberOf(this.row('PRAGMA user_version')?.[0]);
    if (version < 0) throw damage(`the schema version is ${version}`);
    return version;
  }

  /** Closes the database. libsql lets go of the file when the statements are collected as garbage. */
  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #finish<Result>(work: () => Result): Result {
    try {
      const result = work();
      this.execute('COMMIT');
      return result;
    } catch (thrown) {
      this.#rollBack();
      throw thrown;
    }
  }

  #rollBack(): void {
    try {
      if (this.#database.inTransaction) this.execute('ROLLBACK');
    } catch {
      // What made the work fail also ended the transaction, and says more than this does.
    }
  }

  #statement(sql: string): Libsql.Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    // Rows as lists. libsql refuses to be told so for a statement that gives none.
    if (statement.reader) statement.raw();
    this.#statements.set(sql, statement);
    return statement;
  }
}
