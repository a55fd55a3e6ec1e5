-- A project has what answers say that are kept to be compared, until one of them is believed.
update project_usage set stored_bytes = stored_bytes + (
    select coalesce(sum(v.size), 0) from answer_values v join jobs j on j.id = v.job where j.project = project_usage.project
) where replica = 0;
