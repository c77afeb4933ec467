interface Line {
  ingredientId: string;
  percentage: number;
  processNotes?: string;
}

interface Phase {
  name: string;
  sortOrder: number;
  ingredients: Line[];
}

interface Formula {
  id: string;
  currentVersion: number;
  description: string | null;
  versions: { phases: { ingredients: { processNotes: string | null }[] }[] }[];
}

interface Lab {
  L: number;
  a: number;
  b: number;
}

export interface Refusal {
  error: string;
  statusCode: number;
}

/** The answer to a request that the work expects the service to refuse. */
export type Refused<More = unknown> = (Refusal & More) | undefined;

/**
 * Each file of this folder that has a generator's name implements these methods with the generated client. It
 * compiles only if the generated types agree with the types here.
 */
export interface Client {
  register(credentials: { username: string; password: string }): Promise<void>;
  signIn(credentials: { username: string; password: string }): Promise<void>;
  createIngredient(input: {
    inciName: string;
    chineseName: string;
    functionCategory: 'humectant' | 'emollient' | 'other';
    unitPrice: number;
  }): Promise<void>;
  resolve(names: string[]): Promise<{ certain: boolean; candidates: { ingredient: { id: string } }[] }[]>;
  extract(text: string): Promise<{ percentage: number }[]>;
  createFormula(input: { name: string; phases: Phase[] }): Promise<Formula>;
  revise(id: string, phases: Phase[]): Promise<Formula>;
  listFormulas(filter: {
    ingredientId: string;
    minShare: number;
    sortBy: 'name';
  }): Promise<{ data: { name: string }[]; pagination: { total: number } }>;
  cost(id: string, batch: number): Promise<{ costPerKg: number | null; cost: number | null }>;
  declare(id: string, region: 'eu'): Promise<{ text: string; isComplete: boolean }>;
  listUsage(
    ingredientId: string,
    versions: 'all',
  ): Promise<{ name: string; minShare: number; maxShare: number }[]>;
  createColor(input: {
    name: string;
    targetLab: Lab;
    colorantComposition: Record<string, number>;
  }): Promise<void>;
  matchColor(lab: Lab): Promise<{ isNear: boolean; matches: { name: string; distance: number }[] }>;
  /** The prediction of the stream's only message. */
  predict(line: { name: string; percentage: number; category: string }): Promise<{ costEstimate: number }>;
  /** The names of the options in the stream, which must end with `done`. */
  explore(costLimit: number, base: { name: string; percentage: number }): Promise<string[]>;
  deleteIngredient(id: string): Promise<Refused<{ usageCount: number }>>;
  deleteFormula(id: string): Promise<void>;
  /** Asks for messages in English. */
  readFormula(id: string): Promise<Refused>;
}

const CREDENTIALS = { username: 'lin', password: 'a long passphrase' };
const BRICK = { L: 42.5, a: 48.2, b: 21.7 };

/** From registration to a deleted formula. Returns the values that the test compares. */
async function work(client: Client): Promise<object> {
  await client.register(CREDENTIALS);
  await client.signIn(CREDENTIALS);

  const water = { inciName: 'Aqua', chineseName: '水', functionCategory: 'other', unitPrice: 0.5 } as const;
  const humectant = {
    inciName: 'Glycerin',
    chineseName: '甘油',
    functionCategory: 'humectant',
    unitPrice: 12.5,
  } as const;
  const oil = {
    inciName: 'Caprylic/Capric Triglyceride',
    chineseName: '辛酸/癸酸甘油三酯',
    functionCategory: 'emollient',
    unitPrice: 40,
  } as const;
  for (const ingredient of [water, humectant, oil]) await client.createIngredient(ingredient);

  const resolved = await client.resolve(['去离子水', '甘油(99%)', 'GTCC', '没有这种原料']);
  const ids = resolved.map(({ candidates }) => candidates[0]?.ingredient.id);
  const [aqua = '', glycerin = '', ester = ''] = ids;
  const extracted = await client.extract('甘油 5%\n水 95%');

  const composition = (waterShare: number, glycerinShare: number): Phase[] => [
    {
      name: '水相',
      sortOrder: 1,
      ingredients: [
        { ingredientId: aqua, percentage: waterShare, processNotes: '加热至75℃' },
        { ingredientId: glycerin, percentage: glycerinShare },
      ],
    },
    { name: '油相', sortOrder: 2, ingredients: [{ ingredientId: ester, percentage: 10 }] },
  ];
  const { id } = await client.createFormula({ name: '保湿乳液', phases: composition(85, 5) });
  const revised = await client.revise(id, composition(82, 8));
  const list = await client.listFormulas({ ingredientId: glycerin, minShare: 6, sortBy: 'name' });

  const { costPerKg, cost } = await client.cost(id, 25);
  const { text, isComplete } = await client.declare(id, 'eu');
  const usage = await client.listUsage(glycerin, 'all');

  await client.createColor({ name: '砖红', targetLab: BRICK, colorantComposition: { 'CI 77491': 3 } });
  const colors = await client.matchColor(BRICK);

  const prediction = await client.predict({ name: '甘油', percentage: 100, category: 'humectant' });
  const options = await client.explore(100, { name: '甘油', percentage: 100 });

  const inUse = await client.deleteIngredient(glycerin);
  await client.deleteFormula(id);
  const deleted = await client.readFormula(id);

  return {
    certain: resolved.map(({ certain }) => certain),
    extracted: extracted.map(({ percentage }) => percentage),
    currentVersion: revised.currentVersion,
    description: revised.description,
    notes: revised.versions[0]?.phases.flatMap(({ ingredients }) =>
      ingredients.map(({ processNotes }) => processNotes),
    ),
    listed: [list.pagination.total, list.data.map(({ name }) => name)],
    cost: [costPerKg, cost],
    declaration: [text, isComplete],
    usage: usage.map(({ name, minShare, maxShare }) => [name, minShare, maxShare]),
    colors: [colors.isNear, colors.matches.map(({ name, distance }) => [name, distance])],
    costEstimate: typeof prediction.costEstimate,
    hasOptions: options.length > 0,
    inUse,
    deleted,
  };
}

/** Works on the service whose address is the first argument, and prints the outcome. */
export function run(clientOf: (baseUrl: string) => Client): void {
  work(clientOf(process.argv[2]!)).then(
    (outcome) => console.log(JSON.stringify(outcome)),
    (error: unknown) => {
      console.error(error);
      process.exitCode = 1;
    },
  );
}

/** The error for a request that the work expects the service to answer. */
export function refusedError({ error, statusCode }: Refusal): Error {
  return new Error(`${statusCode} ${error}`);
}
