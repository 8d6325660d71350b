// Takes secrets out of texts that leave the machine: by the values of secret-looking environment variables, in plain, base64 and URL form.
const secretName = /key|token|secret|passw|credential|auth|database_url|webhook|notify_url/i;
const shortest = 6;
const mark = '***';

export function redactSecrets(text: string, environment: NodeJS.ProcessEnv = process.env): string {
  let clean = text;
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || value.length < shortest || !secretName.test(name)) continue;
    const inJson = JSON.stringify(value).slice(1, -1);
    for (const form of [value, inJson, Buffer.from(value).toString('base64').replace(/=+$/, ''), encodeURIComponent(value)]) {
      clean = clean.replaceAll(form, mark);
    }
  }
  // User and password of any URL.
  return clean.replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/@"']+@/gi, `$1${mark}@`);
}
