// Perfetto's trace processor without a browser: imports traces and answers queries about them.
//
//     node trace_processor.js ENGINE      ENGINE: the folder of the Perfetto UI with engine_bundle.js and trace_processor.wasm
//
// Standard input holds one request a line, a word and a tab before what it is about:
//
//     open    FILE    forgets what was opened before, and imports this trace
//     query   SQL
//
// The answer to a query is its columns and its rows, separated by tabs; an absent value is \N, and in texts \, tab and line
// feed are escaped as \\, \t and \n. An error is one line that begins with "error" and a tab. An empty line ends each answer.
'use strict';

const fs = require('fs');
const path = require('path');
const readline = require('readline');

const ENGINE = path.resolve(process.argv[2]);

// ---- Protocol Buffers ------------------------------------------------------------------------------

function varint(value) {
    const bytes = [];
    for (let rest = BigInt(value); ; rest >>= 7n) {
        if (rest < 128n) {
            bytes.push(Number(rest));
            return Buffer.from(bytes);
        }
        bytes.push(Number(rest & 127n) | 128);
    }
}

const numberField = (field, value) => Buffer.concat([varint(field << 3), varint(value)]);
const bytesField = (field, bytes) => Buffer.concat([varint(field << 3 | 2), varint(bytes.length), bytes]);

// Takes a varint at `at.at`, which it moves.
function takeVarint(bytes, at) {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
        const byte = bytes[at.at++];
        value |= BigInt(byte & 127) << shift;
        if (byte < 128)
            return value;
    }
}

// Lists the fields of a message as [number, value], which is a BigInt or bytes.
function fieldsOf(bytes) {
    const fields = [];
    for (const at = {at: 0}; at.at < bytes.length;) {
        const key = Number(takeVarint(bytes, at));
        const wireType = key & 7;
        if (wireType === 0) {
            fields.push([key >> 3, takeVarint(bytes, at)]);
            continue;
        }
        const size = wireType === 2 ? Number(takeVarint(bytes, at)) : wireType === 1 ? 8 : 4;
        fields.push([key >> 3, bytes.subarray(at.at, at.at + size)]);
        at.at += size;
    }
    return fields;
}

const fieldOf = (bytes, number) => (fieldsOf(bytes).find(field => field[0] === number) || [])[1];

// ---- answers -----------------------------------------------------------------------------------------

const ESCAPES = {'\\': '\\\\', '\t': '\\t', '\n': '\\n'};
const escapeText = text => text.replace(/[\\\t\n]/g, character => ESCAPES[character]);

// Adds the cells of a batch (QueryResult.CellsBatch): their types, and the values of each type in a list of its own.
function addCells(batch, cells) {
    const [NULL, INTEGER, FLOAT, STRING] = [1, 2, 3, 4];
    const integers = [], floats = [];
    let types = [], strings = [];
    for (const [field, value] of fieldsOf(batch)) {
        if (field === 1)
            types = [...value];
        if (field === 2)
            for (const at = {at: 0}; at.at < value.length;)
                integers.push(BigInt.asIntN(64, takeVarint(value, at)));
        if (field === 3)
            for (let i = 0; i < value.length; i += 8)
                floats.push(value.readDoubleLE(i));
        if (field === 5)
            strings = value.toString().split('\0');
    }
    const next = [0, 0, 0];
    const take = (kind, list) => list[next[kind]++];
    for (const type of types)
        cells.push(type === NULL ? '\\N' : type === INTEGER ? String(take(0, integers)) : type === FLOAT ? String(take(1, floats)) :
            type === STRING ? escapeText(take(2, strings)) : 'blob');
}

// Answer to the current request.
let answer;

function takeResult(result) {
    for (const [field, value] of fieldsOf(result)) {
        if (field === 1)
            answer.columns.push(value.toString());
        if (field === 2)
            answer.error = answer.error || value.toString();
        if (field === 3)
            addCells(value, answer.cells);
    }
}

const port = {
    postMessage(bytes) {
        for (const [, message] of fieldsOf(Buffer.from(bytes))) {
            for (const [field, value] of fieldsOf(message)) {
                if (field === 5) // fatal_error
                    answer.error = answer.error || value.toString();
                if (field === 203) // query_result
                    takeResult(value);
                if (field === 201 && fieldOf(value, 2)) // append_result
                    answer.error = answer.error || fieldOf(value, 2).toString();
                if (field === 212 && fieldOf(value, 1)) // finalize_data_result
                    answer.error = answer.error || fieldOf(value, 1).toString();
            }
            answer.count++;
        }
    },
};

// ---- requests ----------------------------------------------------------------------------------------

const [APPEND, FINALIZE, QUERY, STATUS, RESET] = [1, 2, 3, 10, 11];
let sequence = 0;

// The engine answers before the call returns.
function request(method, args) {
    const message = Buffer.concat([numberField(1, ++sequence), numberField(2, method), args || Buffer.alloc(0)]);
    port.onmessage({data: new Uint8Array(bytesField(1, message))});
}

function writeTable(columns, cells) {
    const lines = [columns.join('\t')];
    for (let i = 0; i < cells.length; i += columns.length)
        lines.push(cells.slice(i, i + columns.length).join('\t'));
    process.stdout.write(lines.join('\n') + '\n');
}

function handle(line) {
    const [word, ...rest] = line.split('\t');
    const text = rest.join('\t');
    answer = {columns: [], cells: [], error: null, count: 0};
    if (word === 'open') {
        request(RESET, bytesField(107, Buffer.alloc(0)));
        request(APPEND, bytesField(101, fs.readFileSync(text)));
        request(FINALIZE);
    } else if (word === 'query') {
        request(QUERY, bytesField(103, bytesField(1, Buffer.from(text))));
    } else {
        answer.error = `no request begins with ${word}`;
    }
    if (answer.error)
        process.stdout.write('error\t' + escapeText(answer.error) + '\n');
    else if (word === 'query')
        writeTable(answer.columns, answer.cells);
    process.stdout.write('\n');
}

// ---- the engine: what a worker of a page has, and no more -------------------------------------------

class FileRequest {
    open(method, address) {
        this.file = path.join(ENGINE, path.basename(address));
    }
    overrideMimeType() {}
    send() {
        const bytes = fs.readFileSync(this.file);
        this.response = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
        this.status = 200;
        if (this.onload)
            this.onload();
    }
}

function startEngine() {
    const script = path.join(ENGINE, 'engine_bundle.js');
    process.type = 'renderer'; // else the bundle takes Node's own ways to load files
    globalThis.self = globalThis;
    globalThis.importScripts = () => {};
    globalThis.WorkerGlobalScope = function () {};
    globalThis.location = {href: 'file://' + script, pathname: script};
    globalThis.XMLHttpRequest = FileRequest;
    console.warn = () => {}; // what the importer remarks; errors are in its table `stats`
    (0, eval)(fs.readFileSync(script, 'utf8'));
    self.onmessage({data: port});
}

// Until it has its memory a request is a TypeError; it starts in microtasks, so that a timer never finds it half started.
async function waitForEngine() {
    for (let i = 0; i < 1500; i++) {
        await new Promise(resolve => setTimeout(resolve, 20));
        answer = {columns: [], cells: [], error: null, count: 0};
        try {
            request(STATUS);
        } catch (error) {
            if (!(error instanceof TypeError))
                throw error;
        }
        if (answer.count > 0)
            return;
    }
    throw new Error(`${ENGINE} does not start`);
}

async function main() {
    startEngine();
    await waitForEngine();
    for await (const line of readline.createInterface({input: process.stdin}))
        handle(line);
}

main().then(() => process.exit(0), error => {
    console.error(error.message);
    process.exit(1);
});
