/** The environment, as the caller hands it in. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Value of a variable. Empty counts as not set: that is how CI systems and shells write a variable that has no value. */
export function given(env: Env, name: string): string | undefined {
  return env[name] === '' ? undefined : env[name];
}
