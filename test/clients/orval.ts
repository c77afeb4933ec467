import * as api from './generated/api';
import { messagesOf, optionsOf, predictionOf } from './messages';
import { type Client, refusedError, run } from './work';

interface Answer {
  status: number;
  data: unknown;
}
type Succeeded<Response extends Answer> = Extract<Response, { status: 200 | 201 | 204 }>;

/** Returns the answer to a request, and throws if the service refused it. */
function dataOf<Response extends Answer>(response: Response): Succeeded<Response>['data'] {
  if (response.status >= 400) throw refusedError(response.data as api.ErrorDto);
  return response.data;
}

/** The generated functions have the address from orval.config.cjs. */
function clientOf(): Client {
  let signed: { headers: Record<string, string> };
  const stream = (url: string, body: object) =>
    fetch(url, {
      method: 'POST',
      headers: { ...signed.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });

  return {
    async register(credentials) {
      dataOf(await api.authRegister(credentials));
    },
    async signIn(credentials) {
      const { token } = dataOf(await api.authLogin(credentials)).data;
      signed = { headers: { Authorization: `Bearer ${token}` } };
    },
    async createIngredient(input) {
      dataOf(await api.ingredientsCreate(input, signed));
    },
    async resolve(names) {
      return dataOf(await api.resolveResolve({ names }, signed)).data;
    },
    async extract(text) {
      return dataOf(await api.aiExtract({ text }, signed)).data;
    },
    async createFormula(input) {
      return dataOf(await api.formulasCreate(input, signed)).data;
    },
    async revise(id, phases) {
      return dataOf(await api.formulasRevise(id, { phases }, signed)).data;
    },
    async listFormulas(filter) {
      return dataOf(await api.formulaListList(filter, signed));
    },
    async cost(id, batch) {
      return dataOf(await api.analysisCost(id, { batch }, signed)).data;
    },
    async declare(id, region) {
      return dataOf(await api.declarationDeclare(id, { region }, signed)).data;
    },
    async listUsage(id, versions) {
      return dataOf(await api.ingredientListListUsage(id, { versions }, signed)).data;
    },
    async createColor(input) {
      dataOf(await api.colorCreate(input, signed));
    },
    async matchColor(lab) {
      return dataOf(await api.matchesMatch({ ...lab, unique: 'true' }, signed)).data;
    },
    async predict(line) {
      const input: api.PredictFormulaDto = { ingredients: [line] };
      const { body } = await stream(api.getAiPredictUrl(), input);
      return predictionOf<api.PredictionDto>(messagesOf<api.aiPredictResponse200['data']>(body));
    },
    async explore(costLimit, base) {
      const input: api.ExploreFormulaDto = { costLimit, baseIngredients: [base] };
      const { body } = await stream(api.getAiExploreUrl(), input);
      return optionsOf(messagesOf<api.aiExploreResponse200['data']>(body));
    },
    async deleteIngredient(id) {
      const response = await api.ingredientsDelete(id, signed);
      return response.status === 409 ? response.data : undefined;
    },
    async deleteFormula(id) {
      dataOf(await api.formulasDelete(id, signed));
    },
    async readFormula(id) {
      const response = await api.formulasGet(id, { headers: { ...signed.headers, 'X-Language': 'en' } });
      return response.status === 404 ? response.data : undefined;
    },
  };
}

// The types of the generated client refuse what the service refuses, and what it does not have.
// @ts-expect-error -- no such category
export const category: api.CreateIngredientDto['functionCategory'] = 'magic';
// @ts-expect-error -- no such field
export const embedding = (formula: api.FormulaDto) => formula.embedding;
// @ts-expect-error -- a description may be null
export const description = (formula: api.FormulaDto): string => formula.description;

run(clientOf);
