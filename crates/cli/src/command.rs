//! What can be asked: a variant for each command, with its arguments.

use clap::Subcommand;

use crate::{
    Exit, cancel, certificate, check, console, devices, explain, hold, input, jobs, login, logs, open, pause,
    project, queue, replay, result, run, runs, submit, token, top, upload, verify, whoami, worker, workers,
    workflows,
};

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Upload a workflow and run it: exit 0 finished, 1 failed, 2 could not ask.
    Run(run::Run),
    /// Find the mistakes of a workflow: exit 0 none or warnings only, 1 errors, 2 could not read.
    Check(check::Check),
    /// List the newest runs.
    Runs(runs::Runs),
    /// Open a run's page of the console.
    Open(open::Open),
    /// Read a run's state and result.
    Result(result::Show),
    /// Put a stand-alone job into a queue: exit 0 kept or finished, 1 failed, 2 could not ask.
    Submit(submit::Submit),
    /// List the jobs of a run or of a queue.
    Jobs(jobs::Jobs),
    /// Tell why a job, a run or a worker stands as it does, and what became of a job, attempt by attempt.
    Explain(explain::Explain),
    /// Print the arguments that a job was given: a JSON array.
    Input(input::Input),
    /// Have a job again on this machine: exit 0 it comes to the same, 1 it does not, 2 could not.
    Replay(replay::Replay),
    /// Print what the attempts of a run or of a job have logged, as they end.
    Logs(logs::Logs),
    /// Hand nothing out any more, of one run or at all; what runs goes on.
    Pause(pause::Pause),
    /// Go on with a run, with the queue, or with a code that was stopped in a queue.
    Resume(pause::Resume),
    /// End a run or a stand-alone job: exit 0 when it is cancelled or had ended before, 2 could not ask.
    Cancel(cancel::Cancel),
    /// Watch fleet, queue and runs; without a terminal a line each two seconds.
    Top(top::Top),
    /// Count what waits and runs, and list the codes that were stopped.
    Queue(queue::Queue),
    /// List the workers that are connected.
    Workers(workers::Workers),
    /// Pause a worker, let it go on, or ban its device.
    Worker(worker::Worker),
    /// List the devices that answers come from, or mark one.
    Devices(devices::Devices),
    /// Check a workflow and keep it, without running it.
    Upload(upload::Upload),
    /// List the stored workflows.
    Workflows(workflows::Workflows),
    /// Print a link that opens the console, good once and for five minutes.
    Console(console::Console),
    /// Let this machine's commands into a server, with the help of somebody in a browser.
    Login(login::Login),
    /// Revoke what `weevil login` has kept, and forget it.
    Logout(login::Logout),
    /// Tell who these commands are to a server, what they may do there, and until when.
    Whoami(whoami::Whoami),
    /// Look after projects: rooms with walls, and the people in them.
    Project(project::Project),
    /// Look after what programs prove with who they are.
    Token(token::Token),
    /// Fetch the certificate of a run that has ended and was judged, or of a stand-alone job.
    Certificate(certificate::Certificate),
    /// Tell whether a certificate holds, without a server: exit 0 it does, 1 it does not, 2 could not read.
    Verify(verify::Verify),
    /// Run a program as long as stdin is open, and end it with all that it started.
    #[command(hide = true)]
    Hold(hold::Hold),
}

impl Command {
    pub fn execute(self) -> Exit {
        match self {
            Self::Run(command) => command.execute(),
            Self::Check(command) => command.execute(),
            Self::Result(command) => command.execute(),
            Self::Runs(command) => command.execute(),
            Self::Open(command) => command.execute(),
            Self::Logs(command) => command.execute(),
            Self::Top(command) => command.execute(),
            Self::Queue(command) => command.execute(),
            Self::Workers(command) => command.execute(),
            Self::Worker(command) => command.execute(),
            Self::Submit(command) => command.execute(),
            Self::Jobs(command) => command.execute(),
            Self::Explain(command) => command.execute(),
            Self::Input(command) => command.execute(),
            Self::Replay(command) => command.execute(),
            Self::Pause(command) => command.execute(true),
            Self::Resume(command) => command.execute(),
            Self::Cancel(command) => command.execute(),
            Self::Devices(command) => command.execute(),
            Self::Upload(command) => command.execute(),
            Self::Workflows(command) => command.execute(),
            Self::Console(command) => command.execute(),
            Self::Login(command) => command.execute(),
            Self::Logout(command) => command.execute(),
            Self::Whoami(command) => command.execute(),
            Self::Project(command) => command.execute(),
            Self::Token(command) => command.execute(),
            Self::Certificate(command) => command.execute(),
            Self::Verify(command) => command.execute(),
            Self::Hold(command) => command.execute(),
        }
    }
}
