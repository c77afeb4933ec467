import {
  Api,
  type CreateIngredientDto,
  type FormulaDto,
  type IngredientInUseDto,
  type PredictionDto,
} from './generated/api';
import { messagesOf, optionsOf, predictionOf } from './messages';
import { type Client, type Refusal, run } from './work';

/** The answer to a refused request. The client throws the response; after a DELETE its `error` is empty. */
async function refusalOf<Refused extends Refusal>(request: Promise<unknown>): Promise<Refused | undefined> {
  try {
    await request;
    return undefined;
  } catch (response) {
    if (!(response instanceof Response)) throw response;
    return (await response.json()) as Refused;
  }
}

function clientOf(baseUrl: string): Client {
  const { api, setSecurityData } = new Api<string>({
    baseUrl,
    securityWorker: (token) => ({ headers: { Authorization: `Bearer ${token}` } }),
  });

  return {
    async register(credentials) {
      await api.authRegister(credentials);
    },
    async signIn(credentials) {
      const session = await api.authLogin(credentials);
      setSecurityData(session.data.data.token);
    },
    async createIngredient(input) {
      await api.ingredientsCreate(input);
    },
    async resolve(names) {
      return (await api.resolveResolve({ names })).data.data;
    },
    async extract(text) {
      return (await api.aiExtract({ text })).data.data;
    },
    async createFormula(input) {
      return (await api.formulasCreate(input)).data.data;
    },
    async revise(id, phases) {
      return (await api.formulasRevise(id, { phases })).data.data;
    },
    async listFormulas(filter) {
      return (await api.formulaListList(filter)).data;
    },
    async cost(id, batch) {
      return (await api.analysisCost(id, { batch })).data.data;
    },
    async declare(id, region) {
      return (await api.declarationDeclare(id, { region })).data.data;
    },
    async listUsage(id, versions) {
      return (await api.ingredientListListUsage(id, { versions })).data.data;
    },
    async createColor(input) {
      await api.colorCreate(input);
    },
    async matchColor(lab) {
      return (await api.matchesMatch({ ...lab, unique: 'true' })).data.data;
    },
    async predict(line) {
      const response = await api.aiPredict({ ingredients: [line] });
      return predictionOf<PredictionDto>(messagesOf<typeof response.data>(response.body));
    },
    async explore(costLimit, base) {
      const response = await api.aiExplore({ costLimit, baseIngredients: [base] });
      return optionsOf(messagesOf<typeof response.data>(response.body));
    },
    deleteIngredient: (id) => refusalOf<IngredientInUseDto>(api.ingredientsDelete(id)),
    async deleteFormula(id) {
      await api.formulasDelete(id);
    },
    readFormula: (id) => refusalOf(api.formulasGet(id, { headers: { 'X-Language': 'en' } })),
  };
}

// The types of the generated client refuse what the service refuses, and what it does not have.
// @ts-expect-error -- no such category
export const category: CreateIngredientDto['functionCategory'] = 'magic';
// @ts-expect-error -- no such field
export const embedding = (formula: FormulaDto) => formula.embedding;
// @ts-expect-error -- a description may be null
export const description = (formula: FormulaDto): string => formula.description;

run(clientOf);
