// terminal_is_for_ever.js BASE_URL RUNS: the property `properties/terminal-is-for-ever` as one writes it
// with fast-check: an execution is closed, then anything is posted to it, and after each command its
// status is read and compared with the model's.
import http from 'node:http';
import fc from 'fast-check';

const [base, runs] = [process.argv[2], Number(process.argv[3] ?? 200)];
const commandsOfACase = 20;
const agent = new http.Agent({ keepAlive: true });
let requests = 0;
let commands = 0;
let cases = 0;

function send(method, path, body) {
  ++requests;
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const request = http.request(base + path, { method, agent, headers }, (answer) => {
      const parts = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('end', () => resolve({ status: answer.statusCode, body: JSON.parse(Buffer.concat(parts).toString()) }));
      answer.on('error', reject);
    });
    request.on('error', reject);
    request.end(text);
  });
}

/** What a case speaks to: one execution, and the events that were posted to it. */
class Execution {
  constructor(id) {
    this.path = `/executions/${id}`;
    this.posted = [];
  }
  post(type, more) {
    const number = this.posted.length;
    const event = { event_id: `e${number}`, event_type: type, timestamp: `2026-01-01T00:00:${String(number % 60).padStart(2, '0')}Z`, ...more };
    this.posted.push(event);
    return this.postAgain(event);
  }
  async postAgain(event) {
    const answer = await send('POST', `${this.path}/events`, event);
    if (answer.status >= 300) throw new Error(`${event.event_type} was answered ${answer.status}`);
  }
  async hasStatus(model) {
    const { body } = await send('GET', `${this.path}/status`);
    if (body.state !== model.state) throw new Error(`the status is ${body.state}, not ${model.state}`);
  }
}

class PostEvent {
  constructor(type, more) {
    this.type = type;
    this.more = more;
  }
  check() { return true; }
  async run(model, execution) {
    ++commands;
    await execution.post(this.type, this.more);
    await execution.hasStatus(model);
  }
  toString() { return `post ${this.type}`; }
}

class PostAgain {
  constructor(which) { this.which = which; }
  check() { return true; }
  async run(model, execution) {
    ++commands;
    await execution.postAgain(execution.posted[this.which % execution.posted.length]);
    await execution.hasStatus(model);
  }
  toString() { return `post event ${this.which} again`; }
}

class Cancel {
  check() { return true; }
  async run(model, execution) {
    ++commands;
    await send('POST', `${execution.path}/cancel`);
    await execution.hasStatus(model);
  }
  toString() { return 'cancel'; }
}

const endings = { 'playbook.completed': 'COMPLETED', 'playbook.failed': 'FAILED', 'execution.cancelled': 'CANCELLED' };
const nodes = fc.constantFrom('fetch', 'end', 'END');
const words = fc.constantFrom('COMPLETED', 'completed', 'FAILED', 'Cancelled');
const someCommand = [
  fc.constantFrom(...Object.keys(endings), 'playbook.initialized').map((type) => new PostEvent(type)),
  fc.record({ verb: fc.constantFrom('issued', 'claimed', 'started', 'completed', 'failed'), command: fc.nat(2), node: nodes })
    .map(({ verb, command, node }) => new PostEvent(`command.${verb}`, { command_id: `c${command}`, node_name: node })),
  fc.record({ status: words, node_name: nodes }).map((more) => new PostEvent('step.exit', more)),
  fc.nat(40).map((which) => new PostAgain(which)),
  fc.constant(new Cancel()),
];

async function isForEver(ending, sequence) {
  const execution = new Execution(`fast-check-${process.pid}-${cases++}`);
  await send('POST', '/executions', { execution_id: execution.path.slice('/executions/'.length) });
  await execution.post('playbook.initialized');
  await execution.post(ending);
  const setup = () => ({ model: { state: endings[ending] }, real: execution });
  await fc.asyncModelRun(setup, sequence);
}

const begin = process.hrtime.bigint();
await fc.assert(
  fc.asyncProperty(
    fc.constantFrom(...Object.keys(endings)),
    fc.commands(someCommand, { maxCommands: commandsOfACase, size: 'max' }),
    isForEver),
  { numRuns: runs });
const seconds = Number(process.hrtime.bigint() - begin) / 1e9;
agent.destroy();
console.log(`commands ${commands}`);
console.log(`requests ${requests}`);
console.log(`cases_of_20_commands_per_second ${(commands / commandsOfACase / seconds).toFixed(1)}`);
