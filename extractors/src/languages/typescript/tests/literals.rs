//! Event literals in plain code.

use super::table;

#[test]
fn what_is_sent_is_an_event() {
    table(&[
        (
            "function run(ws: W) { emit({ type: 'start', id: 'x', n: 1 }); ws.send({ jsonrpc: '2.0', method: 'item/done', params: { ok: true, list: [] } }) }",
            &[
                r#"emit(method) = <method> {jsonrpc: string, method: "item/done", params: {list: any[], ok: boolean}} | * (literal)"#,
                r#"emit(type) = <type> {id: string, n: number, type: "start"} | * (literal)"#,
            ],
        ),
        (
            "process.stdout.write(JSON.stringify({ 'type': 'a', x }) + '\\n'); console.log(JSON.stringify({ type: 'b', ...rest })); this.sendEvent('q', { type: `a`, y: null } as const)",
            &[r#"emit(type) = <type> {type: "a", x?: any, y?: null} | {type: "b", *} | * (literal)"#],
        ),
        // Nothing says that these are sent, or sent by us.
        (
            "const a = { type: 'x' }; dispatch({ type: 'x' }); fetch(u, { body: JSON.stringify({ type: 'x' }) }); emit({ type: 'object' }); emit({ type: 'x', properties: {} }); emit({ type: kind }); send({ method: 'POST' })",
            &[],
        ),
        (
            "interface A { type: 'x' } declare function emit(a: { type: 'x' }): void",
            &[r#"A = {type: "x"}"#],
        ),
    ]);
}
