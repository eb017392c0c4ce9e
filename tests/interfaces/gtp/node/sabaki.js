// Drives an engine as Sabaki does, by Sabaki's own library, and prints what happened as one JSON object.
// node sabaki.js ENGINE ARGUMENT...

const {ControllerStateTracker} = require('@sabaki/gtp')

const play = (colour, vertex) => ({name: 'play', args: [colour, vertex]})
const wait = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds))

async function main() {
  const tracker = ControllerStateTracker.fromController(process.argv[2], process.argv.slice(3))
  const controller = tracker.controller
  const seen = {boards: []}
  controller.start()

  // What Sabaki asks at the start, without waiting for an answer.
  const names = ['name', 'version', 'protocol_version', 'list_commands']
  const answers = await Promise.all(names.map(name => controller.sendCommand({name})))
  names.forEach((name, i) => (seen[name] = answers[i].content))

  // Positions: forward, back by undo, another branch, from the beginning, after a handicap.
  const histories = [
    [play('B', 'E5'), play('W', 'C3'), play('B', 'G7'), play('W', 'pass')],
    [play('B', 'E5'), play('W', 'C3'), play('B', 'G7')],
    [play('B', 'E5'), play('W', 'C3'), play('W', 'D3'), play('W', 'E3')],
    [play('W', 'A1'), play('W', 'B1')],
    [{name: 'set_free_handicap', args: ['D4', 'F6']}, play('W', 'E5'), play('B', 'E6')],
    [{name: 'set_free_handicap', args: ['D4', 'F6']}, play('W', 'E5')]
  ]
  for (const history of histories) {
    await tracker.sync({boardsize: [9, 9], komi: 6.5, history})
    seen.boards.push((await controller.sendCommand({name: 'showboard'})).content)
  }
  seen.rectangle = await tracker.sync({boardsize: [9, 13], history: []}).then(() => '', error => error.message)
  await tracker.sync({boardsize: [9, 9], komi: 6.5, timeSettings: {mainTime: 0, byoyomiTime: 1, byoyomiStones: 0}})
  await tracker.sync({history: [play('B', 'E5')]})

  // Moves, with and without analysis.
  seen.genmove = (await tracker.queueCommand({name: 'genmove', args: ['W']})).content
  seen.moveLines = []
  seen.genmoveAnalyze = await tracker.queueCommand({name: 'genmove_analyze', args: ['B', '10']}, ({line}) =>
    seen.moveLines.push(line)
  )
  seen.tracked = tracker.state.history.map(entry => entry.args.join(' '))

  // Analysis until the next command.
  seen.analysisLines = []
  const analysis = controller.sendCommand({name: 'analyze', args: ['W', '10']}, ({line}) =>
    seen.analysisLines.push(line)
  )
  await wait(700)
  seen.stopper = (await controller.sendCommand({name: 'protocol_version'})).content
  seen.analysis = await analysis

  const exit = new Promise(resolve => controller.process.once('exit', resolve))
  await controller.stop()
  seen.exit = await exit
  console.log(JSON.stringify(seen))
}

main().catch(error => {
  console.error(error)
  process.exit(1)
})
