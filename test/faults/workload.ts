import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, Client } from './client';
import { History, LINES, type Problem, type Seen, type Write } from './checker';

const ACCOUNTS = 4;
/** Of each account. */
const CLIENTS = 2;
/** Of a client between two of its requests, in milliseconds: the machine is not to be full. */
const THINKS_MS = 20;
/** Of a client whose projects stay: their list has all of them, and in a long run memory grew with it. */
const ROUNDS_OF_PROJECTS = 100;
/** Of the end's reading. */
const READERS = 8;
/** An answer that takes longer is not well, in milliseconds. */
export const WELL_MS = 1500;

/** One answer that is not as it is when all is well. */
export interface BadAnswer {
  /** 0: there was none; a good one was too late to be called well. */
  readonly status: number;
  /** When the answer was there, in milliseconds of `performance.now`. */
  readonly at: number;
  readonly what: string;
}

interface RecordKind {
  readonly path: string;
  /** What a creation sends, and a description. */
  content(name: string, text: string): object;
  description(text: string): object;
  read(data: any): Seen;
}

const isGood = (status: number) => status >= 200 && status < 300;

/** Clients that write and read without end, and remember what they were told. */
export class Workload {
  readonly history = new History();
  readonly problems: Problem[] = [];
  /** Since they were taken last. */
  private bad: BadAnswer[] = [];
  /** What is done to the service now. */
  during = 'nothing';
  private readonly ids = new Map<string, string>();
  private readonly kinds = new Map<string, RecordKind>();
  private readonly clients: Client[] = [];
  private readonly loops: Promise<void>[] = [];
  private isOver = false;
  private number = 0;
  private readonly pending = new Set<{ readonly since: number }>();

  private constructor(
    /** In front of every name: whatever else there is does not count. */
    private readonly mark: string,
    private readonly ingredients: readonly string[],
  ) {}

  static async start(url: string, mark: string): Promise<Workload> {
    const first = await new Client(url).register(`${mark}-first`);
    const made = [0, 1].map((at) =>
      first.ask('POST', '/ingredients', {
        inciName: `${mark} material ${at}`,
        chineseName: '原料',
        functionCategory: 'other',
      }),
    );
    const ingredients = (await Promise.all(made)).map(({ body }) => body.data.id as string);
    const workload = new Workload(mark, ingredients);
    workload.clients.push(first);
    for (let at = 1; at < ACCOUNTS; at += 1) {
      workload.clients.push(await new Client(url).register(`${mark}-${at}`));
    }
    for (const client of workload.clients) {
      // All clients of an account revise it at once; who is no owner may not.
      const shared = await workload.create(client, workload.formulas);
      for (let at = 0; at < CLIENTS; at += 1) workload.loops.push(workload.run(client, shared));
    }
    return workload;
  }

  /** Resolves when all has been answered. */
  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.loops);
  }

  close(): void {
    for (const client of this.clients) client.close();
  }

  /**
   * When it last was not well, in milliseconds of `performance.now`; undefined: it always was since the bad
   * answers were taken.
   */
  get lastIll(): number | undefined {
    const now = performance.now();
    if ([...this.pending].some(({ since }) => now - since > WELL_MS)) return now;
    return this.bad.at(-1)?.at;
  }

  /** Answers since the last time that were not as they should be. */
  takeBad(): BadAnswer[] {
    return this.bad.splice(0);
  }

  /** Every account asks so many times at once, beside what it does anyway. */
  async burst(path: string, times: number): Promise<void> {
    const asked = this.clients.flatMap((client) =>
      Array.from({ length: times }, () => this.read(client, path)),
    );
    await Promise.all(asked);
  }

  /** Afterwards: reads everything there is through the interface. */
  async verify(): Promise<void> {
    const [client] = this.clients as [Client];
    const found = new Set<string>();
    for (const name of await this.names(client)) {
      found.add(name);
      if (!this.kinds.has(name)) this.problems.push(...this.history.judge(name, { description: null }));
    }
    const records = [...this.history.records];
    const read = async () => {
      for (let name = records.pop(); name; name = records.pop()) await this.check(client, name, found);
    };
    await Promise.all(Array.from({ length: READERS }, read));
  }

  private readonly formulas: RecordKind = {
    path: '/formulas',
    content: (name, text) => ({ name, description: text, ...this.composition(text) }),
    description: (description) => ({ description }),
    read: seenFormula,
  };

  private readonly projects: RecordKind = {
    path: '/projects',
    content: (name, description) => ({ name, description }),
    description: (description) => ({ description }),
    read: ({ description }) => ({ description }),
  };

  private readonly materials: RecordKind = {
    path: '/ingredients',
    content: (name, description) => ({
      inciName: name,
      chineseName: '原料',
      functionCategory: 'other',
      description,
    }),
    description: (description) => ({ description }),
    read: ({ description }) => ({ description }),
  };

  /** Every line bears the same text, so that halves are known. */
  private composition(text: string, percentage = 100 / LINES) {
    const line = (at: number) => ({
      ingredientId: this.ingredients[at % this.ingredients.length],
      percentage,
      processNotes: text,
    });
    const phases = ['A', 'B'].map((name, sortOrder) => ({
      name,
      sortOrder,
      ingredients: Array.from({ length: LINES / 2 }, (_, at) => line(at)),
    }));
    return { phases };
  }

  private async run(client: Client, shared: string): Promise<void> {
    for (let round = 0; !this.isOver; round += 1) {
      for (const step of this.round(client, shared, round)) {
        if (this.isOver) return;
        await step();
        await pause(THINKS_MS);
      }
    }
  }

  /** What one client does, one after the other. */
  private round(client: Client, shared: string, round: number): (() => Promise<unknown>)[] {
    let formula = '';
    const kind = round % 2 === 0 ? this.projects : this.materials;
    const isDeleted = round % 3 === 0 || (kind === this.projects && round >= ROUNDS_OF_PROJECTS);
    let record = '';
    const mine = (text: string) => encodeURIComponent(text);
    return [
      async () => (formula = await this.create(client, this.formulas)),
      () => this.revise(client, formula),
      () => this.describe(client, formula),
      () => this.revise(client, shared),
      () => this.read(client, '/formulas?limit=20'),
      async () => (record = await this.create(client, kind)),
      () => this.describe(client, record),
      () => this.refused(client),
      () => this.read(client, `/formulas?search=${mine(formula)}`),
      () => this.read(client, '/color/formulas/match?L=50&a=1&b=1'),
      () => this.revise(client, formula),
      () => this.read(client, `/ai/search?q=${mine(formula)}`),
      () => (isDeleted ? this.delete(client, record) : this.read(client, '/projects')),
      () => (round % 5 === 0 ? this.delete(client, formula) : this.read(client, '/ingredients')),
    ];
  }

  private newText(): string {
    this.number += 1;
    return `${this.mark} ${this.number}`;
  }

  private async create(client: Client, kind: RecordKind): Promise<string> {
    const name = this.newText();
    this.kinds.set(name, kind);
    const write = this.history.begin(name, 'create', name);
    const { status, body } = await this.write(client, write, 'POST', kind.path, kind.content(name, name));
    if (status === 201) {
      this.ids.set(name, body.data.id as string);
      await this.check(client, name);
    }
    return name;
  }

  /** It must be refused, and nobody may ever read it. */
  private async refused(client: Client): Promise<void> {
    const name = this.newText();
    this.kinds.set(name, this.formulas);
    const write = this.history.begin(name, 'create', name);
    const content = { name, ...this.composition(name, 10) };
    await this.write(client, write, 'POST', '/formulas', content, 400);
  }

  private async revise(client: Client, name: string): Promise<void> {
    const id = this.ids.get(name);
    if (!id) return;
    const write = this.history.begin(name, 'revise', this.newText());
    const path = `/formulas/${id}/composition`;
    const { status } = await this.write(client, write, 'PUT', path, this.composition(write.text));
    if (status === 200) await this.check(client, name);
  }

  private async describe(client: Client, name: string): Promise<void> {
    const id = this.ids.get(name);
    if (!id) return;
    const kind = this.kinds.get(name)!;
    const write = this.history.begin(name, 'describe', this.newText());
    const content = kind.description(write.text);
    const { status } = await this.write(client, write, 'PUT', `${kind.path}/${id}`, content);
    if (status === 200) await this.check(client, name);
  }

  private async delete(client: Client, name: string): Promise<void> {
    const id = this.ids.get(name);
    if (!id) return;
    const write = this.history.begin(name, 'delete', '');
    const path = `${this.kinds.get(name)!.path}/${id}`;
    const { status } = await this.write(client, write, 'DELETE', path);
    if (status === 204) await this.check(client, name);
  }

  private async write(
    client: Client,
    write: Write,
    method: string,
    path: string,
    content?: object,
    refusal?: number,
  ): Promise<Answer> {
    const answer = await this.ask(client, method, path, content, refusal);
    write.during = this.during;
    if (isGood(answer.status)) {
      write.outcome = 'acknowledged';
      if (write.what === 'revise') write.version = answer.body.data.currentVersion as number;
    } else if (answer.status >= 400 && answer.status < 500) {
      write.outcome = 'refused';
    }
    return answer;
  }

  private async read(client: Client, path: string): Promise<Answer> {
    return this.ask(client, 'GET', path);
  }

  private async ask(
    client: Client,
    method: string,
    path: string,
    content?: object,
    expected?: number,
  ): Promise<Answer> {
    const request = { since: performance.now() };
    this.pending.add(request);
    const answer = await client.ask(method, path, content);
    this.pending.delete(request);
    const { status } = answer;
    const at = performance.now();
    const what = `${method} ${path.replace(/[0-9a-f-]{36}|[?].*/g, '…')}`;
    const isWell = (isGood(status) || status === expected || status === 404) && at - request.since < WELL_MS;
    if (!isWell) this.bad.push({ status, at, what });
    const isExpected = expected === undefined ? isGood(status) : status === expected;
    // 404 is looked at where it is asked for: what is gone may have been deleted.
    if (!isExpected && status !== 0 && status !== 404 && status < 500) {
      this.problems.push({ record: what, text: `answered ${status} ${JSON.stringify(answer.body)}` });
    }
    return answer;
  }

  /**
   * Reads a record as everybody does, and judges it. One without an id is judged by whether its name is
   * among those that were found; before all names were read it is not judged.
   */
  private async check(client: Client, name: string, found?: ReadonlySet<string>): Promise<void> {
    const id = this.ids.get(name);
    const kind = this.kinds.get(name)!;
    if (!id) {
      const seen = found?.has(name) ? { description: name } : undefined;
      this.problems.push(...this.history.judge(name, seen));
      return;
    }
    const settled = found ? undefined : this.history.settled(name);
    const { status, body } = await this.ask(client, 'GET', `${kind.path}/${id}`);
    if (status !== 200 && status !== 404) {
      if (found) this.problems.push({ record: name, text: `cannot be read: ${status}` });
      return;
    }
    const seen = status === 200 ? kind.read(body.data) : undefined;
    this.problems.push(...this.history.judge(name, seen, settled));
  }

  /** Of all records with the mark, and the ids of those whose creation was not answered clearly. */
  private async names(client: Client): Promise<string[]> {
    const names: string[] = [];
    const take = (data: readonly any[]) => {
      for (const { id, name, inciName } of data) {
        const own = (name ?? inciName) as string;
        if (!own.startsWith(`${this.mark} `) || own.includes('material')) continue;
        names.push(own);
        if (!this.ids.has(own)) this.ids.set(own, id as string);
      }
    };
    take((await this.read(client, '/projects')).body.data);
    for (const path of ['/formulas', '/ingredients']) {
      for (let page = 1, pages = 1; page <= pages; page += 1) {
        const { body } = await this.read(client, `${path}?limit=100&page=${page}`);
        pages = body.pagination.totalPages;
        take(body.data);
      }
    }
    return names;
  }
}

function seenFormula({ description, currentVersion, versions }: any): Seen {
  const [{ versionNumber, phases }] = versions;
  const lines = phases.flatMap(({ ingredients }: any) => ingredients) as any[];
  const texts = lines.map(({ processNotes }) => processNotes as string);
  return {
    description,
    composition: {
      version: currentVersion,
      // A version that is not the one that the formula names is as bad as a half one.
      lines: versionNumber === currentVersion ? texts : [`version ${versionNumber}`],
      sum: lines.reduce((sum, { percentage }) => sum + percentage, 0),
    },
  };
}
