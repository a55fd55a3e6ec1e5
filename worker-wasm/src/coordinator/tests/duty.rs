//! The share of its time that a tab computes: who hears of it, and when.

use super::*;

#[test]
fn a_duty_reaches_every_job_worker_when_it_is_ready_and_when_it_changes() {
    let duties = |effects: &[Effect]| -> Vec<(u32, u32)> {
        let duty = |effect: &Effect| match effect {
            Effect::ToSlot { generation, command: SlotCommand::Duty { percent } } => {
                Some((*generation, *percent))
            }
            _ => None,
        };
        effects.iter().filter_map(duty).collect()
    };
    let mut story = Story::new(2);
    story.event(Event::Command(PageCommand::SetDuty { percent: 25 }));
    assert_eq!(duties(&story.report(1, SlotReport::Ready)), [(2, 25)]);
    let effects = story.event(Event::Command(PageCommand::SetDuty { percent: 1 }));
    assert_eq!(duties(&effects), [(1, 5), (2, 5)], "5 is the least");
}

#[test]
fn the_server_hears_of_a_duty_at_once_where_it_is_not_all_of_the_time() {
    let duty = |effects: &[Effect]| {
        let told = |frame: &&ClientFrame| {
            if let ClientFrame::Heartbeat { duty, .. } = frame { Some(*duty) } else { None }
        };
        sent(effects).iter().find_map(told)
    };
    let mut story = Story::working(1);
    for (percent, told) in [(25, Some(25)), (100, None), (1, Some(5))] {
        let effects = story.event(Event::Command(PageCommand::SetDuty { percent }));
        assert_eq!(duty(&effects), Some(told), "{percent}");
    }
    for (percent, told) in [(60, Some(Some(60))), (100, None)] {
        let mut story = Story::new(1);
        story.event(Event::Command(PageCommand::SetDuty { percent }));
        story.event(Event::Connected);
        assert_eq!(duty(&story.event(welcome())), told, "{percent}");
    }
}
